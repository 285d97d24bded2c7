/** @import { Bytes, Rehearsal, Rule } from '../types.js' */
import { accountLink } from '../account-link.js';
import { get, send } from '../api.js';
import { announce } from '../announce.js';
import { el, field, named, table } from '../dom.js';
import { parseJson } from '../exact-json.js';
import { exactText, limitField, limitText, parseLimit, sizeText } from '../sizes.js';
import { subjectChips, subjectName } from '../subjects.js';
import { timeText } from '../times.js';

/** @type {import('../main.js').View} */
export const rehearsal = {
  id: 'rehearsal',
  title: 'Rehearsal',
  mount(root) {
    const limits = limitFields();
    const result = el('div', { id: 'rehearsal-result', tabIndex: -1 });
    const form = proposalForm(limits, (found) => {
      result.replaceChildren(...outcome(found));
      announce('The rehearsal is done; nothing was changed.');
      result.focus();
    });
    root.append(
      el(
        'p',
        { class: 'lead' },
        'Try limits on what is stored today and on what happened lately. Nothing is changed.',
      ),
      el('div', { class: 'of-now' }, form, result),
      el('p', { class: 'of-past quiet' }, 'A rehearsal is of today: it needs the page to show now.'),
    );
    return async (signal) => limits.show(await get('admin/quota/rules', { as_of: undefined }, signal));
  },
};

const EXAMPLE = `{ "rules": [{ "name": "tight", "limit": 1073741824, "subjects": ["size:all"] }],
  "groups": [{ "name": "starter", "rules": ["tight"], "members": ["ada"] }] }`;

const FIELDS = ['rules', 'groups', 'default_groups', 'days'];

/**
 * Parses a proposal. Throws if it is not one: of a list, or of misspelt fields, the API would rehearse nothing.
 *
 * @param {string} text
 * @returns {{ rules?: Rule[] }}
 */
function parseProposal(text) {
  /** @type {unknown} */
  const proposal = parseJson(text);
  if (typeof proposal !== 'object' || proposal === null || Array.isArray(proposal))
    throw new Error('The JSON must be an object with rules, groups or default_groups.');
  const unknown = Object.keys(proposal).find((name) => !FIELDS.includes(name));
  if (unknown !== undefined) throw new Error(`${unknown} is none of rules, groups, default_groups and days.`);
  if ('rules' in proposal && !Array.isArray(proposal.rules)) throw new Error('rules must be a list.');
  return proposal;
}

/**
 * Makes the form that rehearses a proposal, one at a time.
 *
 * @param {ReturnType<typeof limitFields>} limits
 * @param {(rehearsal: Rehearsal) => void} show
 */
function proposalForm(limits, show) {
  const days = el('input', { type: 'number', min: '1', max: '90', value: '7', required: true });
  const more = el('textarea', { spellcheck: false, placeholder: EXAMPLE });
  const problem = el('p', { class: 'problem', role: 'alert' });
  const form = el(
    'form',
    {},
    el('h2', { class: 'block' }, 'New limits'),
    limits.element,
    el(
      'details',
      { class: 'block' },
      el('summary', {}, 'More: other subjects, new rules and groups, members'),
      field(
        'As JSON',
        more,
        'rules, groups, default_groups and days, as the API takes them. What is not named stays as it is.',
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

  function proposal() {
    const extra = more.value.trim() === '' ? {} : parseProposal(more.value);
    return { days: Number(days.value), ...extra, rules: [...limits.changed(), ...(extra.rules ?? [])] };
  }

  let isUnderWay = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (isUnderWay) return;
    isUnderWay = true;
    problem.textContent = '';
    rehearse(proposal)
      .then(show, (/** @type {Error} */ error) => (problem.textContent = error.message))
      .finally(() => (isUnderWay = false));
  });
  return form;
}

/**
 * Rehearses a proposal. Rejects also if `proposal` throws.
 *
 * @param {() => object} proposal
 * @returns {Promise<Rehearsal>}
 */
const rehearse = async (proposal) => send('POST', 'admin/quota/rehearsals', proposal());

/** Makes a field for the limit of each rule. */
function limitFields() {
  const element = el('div', { class: 'limits' });
  /** @type {{ rule: Rule, input: HTMLInputElement }[]} */
  let inputs = [];
  return {
    element,

    /** Returns the rules whose limits were edited, with the new ones. Throws if one is no size. */
    changed() {
      return inputs
        .filter(({ rule, input }) => input.value !== limitField(rule.limit))
        .map(({ rule: { name, subjects }, input }) => {
          const limit = parseLimit(input.value);
          if (limit === undefined) throw new Error(`The limit of ${name} is no size.`);
          return { name, subjects, limit };
        });
    },

    /**
     * Shows the rules as they are now; limits that were edited stay.
     *
     * @param {Rule[]} rules
     */
    show(rules) {
      const written = new Map(
        inputs
          .filter(({ rule, input }) => input.value !== limitField(rule.limit))
          .map(({ rule, input }) => [rule.name, input.value]),
      );
      inputs = rules.map((rule) => {
        const value = written.get(rule.name) ?? limitField(rule.limit);
        return { rule, input: el('input', { autocomplete: 'off', value }) };
      });
      element.replaceChildren(
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
    },
  };
}

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
        accountLink(each.user.name),
        named`${each.rule} of ${each.group}`,
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
        accountLink(each.user.name),
        subjectName(each.subject),
        size(each.size),
        size(each.used),
        limitText(each.limit),
        named`${each.rule} of ${each.group}`,
      ]),
      `Of ${operations} operations since ${timeText(since)} none.`,
    ),
  ];
}
