/** @import { QuotaChange } from '../types.js' */
import { get, page } from '../api.js';
import { el, field, named } from '../dom.js';
import { limitField } from '../sizes.js';
import { subjectName } from '../subjects.js';
import { timeText } from '../times.js';
import { usersList } from '../users-list.js';

const MOST = 20;

/** @type {import('../main.js').View} */
export const history = {
  id: 'history',
  title: 'History',
  mount(root, reload) {
    const filters = { user: el('input', { list: usersList() }), group: el('input'), rule: el('input') };
    const list = el('ol', { class: 'history answer' });
    const where = el('p', { class: 'quiet answer', 'aria-live': 'polite' });
    let number = 1;
    /** @type {number | undefined} how many changes a page has: the server may give fewer at once than are asked for */
    let size;
    const turn = (/** @type {-1 | 1} */ by) => () => {
      number = Math.max(1, number + by);
      reload();
    };
    const newer = el('button', { onclick: turn(-1) }, 'Newer');
    const older = el('button', { onclick: turn(1) }, 'Older');
    const form = el(
      'form',
      { class: 'filters' },
      field('Account', filters.user),
      field('Group', filters.group),
      field('Rule', filters.rule),
      el('button', {}, 'Filter'),
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      number = 1;
      reload();
    });
    root.append(form, list, el('div', { class: 'toolbar' }, newer, older, where));
    return async function refresh(signal) {
      size ??= await pageSize(signal);
      const query = {
        user: filters.user.value.trim(),
        group: filters.group.value,
        rule: filters.rule.value,
        page: number,
        limit: size,
      };
      /** @type {import('../api.js').Page<QuotaChange[]>} */
      const { value: changes, total } = await page('admin/quota/history', query, signal);
      const last = Math.max(1, Math.ceil(total / size));
      if (number > last) {
        number = last; // `Older` was pressed twice, or the past had fewer pages
        return refresh(signal);
      }
      const first = (number - 1) * size + 1;
      list.replaceChildren(...changes.map(changeItem));
      where.textContent =
        changes.length === 0
          ? 'No changes.'
          : `${first} to ${first + changes.length - 1} of ${total} changes, newest first`;
      newer.disabled = number === 1;
      older.disabled = number === last;
    };
  },
};

/** @param {AbortSignal} signal */
async function pageSize(signal) {
  /** @type {{ max_response_items: number }} */
  const { max_response_items: most } = await get('settings/api', { as_of: undefined }, signal);
  return Math.min(MOST, most);
}

/** @param {QuotaChange} change */
function changeItem(change) {
  const { at, actor, before, after } = change;
  return el(
    'li',
    {},
    el('p', { class: 'what' }, sentenceOf(change)),
    el(
      'p',
      { class: 'quiet' },
      el('time', { dateTime: at }, timeText(at)),
      ` · ${actor ? (actor.name ?? 'an account that is gone') : 'the server'}`,
    ),
    differences(before, after),
  );
}

/** @param {QuotaChange} change */
function sentenceOf({ type, rules, groups, user }) {
  const [rule = ''] = rules;
  const [group = ''] = groups;
  const name = user?.name ?? 'An account that is gone';
  const sentences = /** @type {Readonly<Record<string, Node | string>>} */ ({
    QuotaRuleCreated: named`Rule ${rule} was created`,
    QuotaRuleEdited: named`Rule ${rule} was edited`,
    QuotaRuleDeleted: named`Rule ${rule} was deleted`,
    QuotaGroupCreated: named`Group ${group} was created`,
    QuotaGroupDeleted: named`Group ${group} was deleted`,
    RuleAddedToQuotaGroup: named`Rule ${rule} was added to group ${group}`,
    RuleRemovedFromQuotaGroup: named`Rule ${rule} was taken out of group ${group}`,
    AddedToQuotaGroup: named`${name} joined group ${group}`,
    RemovedFromQuotaGroup: named`${name} left group ${group}`,
    QuotaDefaultsRecorded: 'The configured defaults changed',
  });
  return sentences[type] ?? type;
}

/**
 * Lists the fields that differ; for memberships, the sentence says everything.
 *
 * @param {Record<string, unknown> | null} before
 * @param {Record<string, unknown> | null} after
 */
function differences(before, after) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter(
    (name) => !['name', 'group', 'rule'].includes(name),
  );
  const changed = names.filter((name) => text(name, before?.[name]) !== text(name, after?.[name]));
  if (changed.length === 0) return undefined;
  return el(
    'dl',
    { class: 'differences' },
    ...changed.flatMap((name) => [
      el('dt', {}, name),
      el(
        'dd',
        {},
        before && el('del', {}, text(name, before[name])),
        before && after && el('span', { 'aria-hidden': 'true' }, ' → '),
        after && el('ins', {}, text(name, after[name])),
      ),
    ]),
  );
}

/**
 * @param {string} name
 * @param {unknown} value
 */
function text(name, value) {
  if (typeof value === 'number' || typeof value === 'bigint')
    return name === 'limit' || name === 'total' ? limitField(value) : String(value); // to the byte
  if (Array.isArray(value))
    return (
      value.map((each) => (name === 'subjects' ? subjectName(String(each)) : String(each))).join(', ') ||
      'none'
    );
  return typeof value === 'string' ? value : '';
}
