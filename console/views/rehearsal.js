/** @import { Bytes, Rehearsal, Rule } from '../types.js' */
import { get, send } from '../api.js';
import { announce } from '../announce.js';
import { el, field, table } from '../dom.js';
import { parseJson } from '../exact-json.js';
import { exactText, limitField, limitText, parseLimit, sizeText } from '../sizes.js';
import { subjectChips, subjectName } from '../subjects.js';
import { timeText } from '../times.js';

/** @type {import('../main.js').View} */
export const rehearsal = {
  id: 'rehearsal',
  title: 'Rehearsal',
  mount(root) {
    const days = el('input', { type: 'number', min: '1', max: '90', value: '7', required: true });
    const more = el('textarea', {
      spellcheck: false,
      placeholder:
        '{ "rules": [{ "name": "tight", "limit": 1073741824, "subjects": ["size:all"] }],\n  "groups": [{ "name": "starter", "rules": ["tight"], "members": ["ada"] }] }',
    });
    const limits = el('div', { class: 'limits' });
    const problem = el('p', { class: 'problem', role: 'alert' });
    const result = el('div', { id: 'rehearsal-result', tabIndex: -1 });
    /** @type {{ rule: Rule, input: HTMLInputElement }[]} */
    let inputs = [];

    const form = el(
      'form',
      {},
      el('h2', { class: 'block' }, 'New limits'),
      limits,
      el(
        'details',
        { class: 'block' },
        el('summary', {}, 'More: other subjects, new rules and groups, members'),
        field(
          'As JSON',
          more,
          'rules, groups and default_groups, as the API takes them. What is not named stays as it is.',
        ),
      ),
      el(
        'div',
        { class: 'filters' },
        field('Replayed days', days),
        el('button', { class: 'primary' }, 'Rehearse'),
      ),
      problem,
    );
    let isUnderWay = false;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (isUnderWay) return;
      isUnderWay = true;
      problem.textContent = '';
      rehearse(proposal)
        .then(
          (found) => {
            result.replaceChildren(...outcome(found));
            announce('The rehearsal is done; nothing was changed.');
            result.focus();
          },
          (/** @type {Error} */ error) => (problem.textContent = error.message),
        )
        .finally(() => (isUnderWay = false));
    });

    function proposal() {
      /** @type {{ rules?: Rule[] }} */
      const extra = more.value.trim() === '' ? {} : parseJson(more.value);
      const changed = inputs.filter(({ rule, input }) => input.value !== limitField(rule.limit));
      const rules = changed.map(({ rule: { name, subjects }, input }) => {
        const limit = parseLimit(input.value);
        if (limit === undefined) throw new Error(`The limit of ${name} is no size.`);
        return { name, subjects, limit };
      });
      return { ...extra, rules: [...rules, ...(extra.rules ?? [])], days: Number(days.value) };
    }

    root.append(
      el(
        'p',
        { class: 'lead' },
        'Try limits on what is stored today and on what happened lately. Nothing is changed.',
      ),
      el('div', { class: 'of-now' }, form, result),
      el('p', { class: 'of-past quiet' }, 'A rehearsal is of today: it needs the page to show now.'),
    );
    return async (signal) => {
      /** @type {Rule[]} */
      const rules = await get('admin/quota/rules', { as_of: undefined }, signal);
      const written = new Map(
        inputs.map(({ rule, input }) => [rule.name, { from: limitField(rule.limit), to: input.value }]),
      );
      inputs = rules.map((rule) => {
        const before = written.get(rule.name);
        const value = before && before.to !== before.from ? before.to : limitField(rule.limit);
        return { rule, input: el('input', { autocomplete: 'off', value }) };
      });
      limits.replaceChildren(
        ...inputs.map(({ rule, input }) =>
          field(
            rule.name,
            input,
            el('span', {}, `now ${limitText(rule.limit)} · `, subjectChips(rule.subjects)),
          ),
        ),
        ...(rules.length === 0
          ? [el('p', { class: 'quiet' }, 'There are no rules yet: propose some below.')]
          : []),
      );
    };
  },
};

/**
 * @param {() => object} proposal
 * @returns {Promise<Rehearsal>}
 */
const rehearse = async (proposal) => send('POST', 'admin/quota/rehearsals', proposal());

/** @param {Rehearsal} rehearsal */
function outcome({ since, operations, over, over_total, refused, refused_total }) {
  const size = (/** @type {Bytes} */ bytes) => el('span', { title: exactText(bytes) }, sizeText(bytes));
  return [
    el(
      'h2',
      { class: 'block' },
      over_total === 0 ? 'Nobody would be over' : `${over_total} would be over today`,
    ),
    table(
      'Who would be over today',
      ['Account', 'Rule', 'Counts', '#Limit', '#Used', '#Over by'],
      over.map((each) => [
        each.user.name ?? '',
        `${each.rule} of ${each.group}`,
        subjectChips(each.subjects),
        limitText(each.limit),
        size(each.used),
        size(each.over_by),
      ]),
      'Everybody fits.',
    ),
    el(
      'h2',
      { class: 'block' },
      refused_total === 0
        ? 'Nothing would have been refused'
        : `${refused_total} of ${operations} operations would have been refused`,
    ),
    table(
      'What would have been refused',
      ['When', 'Account', 'Counts', '#Size', '#Used', '#Limit', 'By'],
      refused.map((each) => [
        timeText(each.at),
        each.user.name ?? '',
        subjectName(each.subject),
        size(each.size),
        size(each.used),
        limitText(each.limit),
        `${each.rule} of ${each.group}`,
      ]),
      `Of ${operations} operations since ${timeText(since)} none.`,
    ),
  ];
}
