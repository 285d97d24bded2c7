import { expect } from 'chai';
import { z } from 'zod';
import { formFields } from '../../src/http/form.js';
import { int64, optional } from '../../src/http/schema.js';

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

  it('leaves out what is not there', () => {
    expect(formFields(schema, new URLSearchParams('name=x'))).to.have.all.keys('name');
  });

  it('lets the schema refuse what reads as nothing', () => {
    expect(schema.safeParse(formFields(schema, new URLSearchParams('name=x&limit=much'))).success).to.equal(
      false,
    );
  });
});
