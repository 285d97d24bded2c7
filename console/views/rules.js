/** @import { Group, Rule } from '../types.js' */
import { at, get, send } from '../api.js';
import { ask } from '../dialog.js';
import { el, field, renew, table } from '../dom.js';
import { asOf } from '../moment.js';
import { exactText, limitField, limitText, parseLimit } from '../sizes.js';
import { subjectBoxes, subjectChips } from '../subjects.js';
import { loadChanges } from '../time-bar.js';

/** @type {import('../main.js').View} */
export const rules = {
  id: 'rules',
  title: 'Rules',
  mount(root, reload) {
    const changed = () => {
      reload();
      void loadChanges();
    };
    const list = el('div', { class: 'answer' });
    root.append(
      el('p', { class: 'lead' }, 'A rule limits what is stored under its subjects, taken together.'),
      el(
        'div',
        { class: 'toolbar' },
        el('button', { class: 'primary of-now', onclick: () => editRule(undefined, changed) }, 'New rule'),
      ),
      list,
    );
    return async (signal) => {
      const [all, groups] = await Promise.all([
        /** @type {Promise<Rule[]>} */ (get('admin/quota/rules', {}, signal)),
        /** @type {Promise<Group[]>} */ (get('admin/quota/groups', {}, signal)),
      ]);
      renew(list, rulesTable(all, groups, changed));
    };
  },
};

/**
 * @param {Rule[]} all
 * @param {Group[]} groups
 * @param {() => void} changed
 */
function rulesTable(all, groups, changed) {
  const groupsOf = (/** @type {Rule} */ rule) =>
    groups.filter((group) => group.rules.some(({ name }) => name === rule.name)).map(({ name }) => name);
  const actions = (/** @type {Rule} */ rule) =>
    el(
      'span',
      { class: 'row-actions' },
      el(
        'button',
        { onclick: () => editRule(rule, changed), 'aria-label': `Edit rule ${rule.name}` },
        'Edit',
      ),
      el(
        'button',
        {
          onclick: () => deleteRule(rule, groupsOf(rule), changed),
          'aria-label': `Delete rule ${rule.name}`,
        },
        'Delete',
      ),
    );
  const editable = asOf() === undefined;
  const headings = ['Rule', '#Limit', 'Counts', 'In groups', ...(editable ? ['Actions'] : [])];
  const rows = all.map((rule) => [
    el('strong', {}, rule.name),
    el('span', { title: exactText(rule.limit) }, limitText(rule.limit)),
    subjectChips(rule.subjects),
    groupList(groupsOf(rule)),
    ...(editable ? [actions(rule)] : []),
  ]);
  return table('All rules', headings, rows, 'There are no rules.');
}

/** @param {string[]} groups */
const groupList = (groups) =>
  groups.length === 0
    ? el('span', { class: 'quiet' }, 'no group')
    : el('span', {}, ...groups.flatMap((group, index) => [index > 0 && ', ', el('bdi', {}, group)]));

/**
 * @param {Rule | undefined} rule undefined makes a new one
 * @param {() => void} changed
 */
function editRule(rule, changed) {
  const name = el('input', { required: true, autocomplete: 'off', value: rule?.name ?? '' });
  const limit = el('input', {
    required: true,
    autocomplete: 'off',
    value: rule ? limitField(rule.limit) : '1 GiB',
  });
  const reading = el('span', { 'aria-live': 'polite' });
  const read = () => {
    const bytes = parseLimit(limit.value);
    reading.textContent =
      bytes === undefined ? 'Write 500 MB, 2 GiB, a number of bytes, or unlimited.' : exactText(bytes);
  };
  limit.addEventListener('input', read);
  read();
  const subjects = subjectBoxes(rule?.subjects ?? ['size:all']);
  ask({
    title: rule ? `Rule ${rule.name}` : 'New rule',
    content: [...(rule ? [] : [field('Name', name)]), field('Limit', limit, reading), subjects.element],
    action: rule ? 'Save' : 'Create',
    async run() {
      const bytes = parseLimit(limit.value);
      if (bytes === undefined) throw new Error('The limit is no size.');
      const fields = { limit: bytes, subjects: subjects.chosen() };
      const created = name.value; // it can be edited on while the request is under way
      if (rule) await send('PATCH', at`admin/quota/rules/${rule.name}`, changesOf(rule, fields));
      else await send('POST', 'admin/quota/rules', { name: created, ...fields });
      changed();
      return rule ? `Rule ${rule.name} is saved.` : `Rule ${created} is created.`;
    },
  });
}

/**
 * Returns the fields that differ from what was shown, so that saving them keeps what somebody else changed meanwhile.
 *
 * @param {Rule} rule
 * @param {{ limit: bigint, subjects: string[] }} fields
 */
function changesOf(rule, { limit, subjects }) {
  const counted = new Set(rule.subjects);
  const countsTheSame = subjects.length === counted.size && subjects.every((each) => counted.has(each));
  return {
    ...(limit !== BigInt(rule.limit) && { limit }),
    ...(!countsTheSame && { subjects }),
  };
}

/**
 * @param {Rule} rule
 * @param {string[]} groups
 * @param {() => void} changed
 */
function deleteRule({ name }, groups, changed) {
  const loss = groups.length > 0 ? `It is taken out of ${groups.join(', ')}.` : 'It is in no group.';
  ask({
    title: `Delete rule ${name}?`,
    content: [el('p', {}, `${loss} The history keeps what it was.`)],
    action: 'Delete rule',
    dangerous: true,
    async run() {
      await send('DELETE', at`admin/quota/rules/${name}`);
      changed();
      return `Rule ${name} is deleted.`;
    },
  });
}
