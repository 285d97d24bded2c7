import { expect } from 'chai';
import { z } from 'zod';
import { formFields } from '../../../src/http/body/form.js';
import { int64, optional } from '../../../src/http/schema.js';

const schema = z.object({
  name: z.string(),
  limit: optional(int64),
  active: optional(z.boolean()),
  groups: optional(z.array(z.string())),
});
const fields = (form: string) => schema.parse(formFields(schema, new URLSearchParams(form)));

describe('the fields of a form', () => {
  it('reads each as the schema wants it', () => {
    expect(fields('name=12&limit=9007199254740993&active=true&groups=a&groups=b&other=1')).to.deep.equal({
      name: '12',
      limit: 9007199254740993n,
      active: true,
      groups: ['a', 'b'],
    });
  });

  it('reads each of a list as the schema wants them', () => {
    const body = z.object({ ids: z.array(z.int()), labels: z.array(z.union([z.int(), z.string()])) });
    const form = new URLSearchParams('ids=1&ids=20&ids=x&labels=3&labels=bug');
    expect({ ...formFields(body, form) }).to.deep.equal({ ids: [1, 20, 'x'], labels: [3, 'bug'] });
  });

  for (const [value, words] of [
    [true, ['1', 't', 'T', 'TRUE', 'true', 'True', 'on']],
    [false, ['0', 'f', 'F', 'FALSE', 'false', 'False', '']],
  ] as const)
    it(`takes ${words.map((word) => `"${word}"`).join(', ')} for ${value}`, () => {
      for (const word of words) expect(fields(`name=x&active=${word}`)).to.include({ active: value });
    });

  it('takes the names that the peers have in forms alone, where the name of JSON is not there', () => {
    const names = {
      username: 'user_name',
      new_username: 'new_name',
      created_at: 'created',
      new_branch_name: 'branch_name',
      content: 'content_base64',
      due_date: 'deadline',
      due_on: 'deadline',
      unset_due_date: 'remove_deadline',
    };
    for (const [ours, theirs] of Object.entries(names)) {
      const read = (form: string) => ({
        ...formFields(z.object({ [ours]: z.string() }), new URLSearchParams(form)),
      });
      expect(read(`${theirs}=a`)).to.deep.equal({ [ours]: 'a' });
      expect(read(`${theirs}=a&${ours}=c`)).to.deep.equal({ [ours]: 'c' });
    }
  });

  it('reads no number from what is left blank', () => {
    const body = z.object({ limit: optional(int64), ids: z.array(z.int()), names: z.array(z.string()) });
    const form = new URLSearchParams('limit=&ids=&names=');
    expect({ ...formFields(body, form) }).to.deep.equal({ ids: [], names: [''] });
  });

  it('leaves out what is not there', () => {
    expect(formFields(schema, new URLSearchParams('name=x'))).to.have.all.keys('name');
  });

  for (const field of ['limit=much', 'active=perhaps', 'active=2'])
    it(`lets the schema refuse ${field}`, () => {
      const read = formFields(schema, new URLSearchParams(`name=x&${field}`));
      expect(schema.safeParse(read).success).to.equal(false);
    });
});
