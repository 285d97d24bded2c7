/** @import { Change, ExplainedGroup, Explanation } from './types.js' */
import { at, get } from './api.js';
import { el, field, named, table } from './dom.js';
import { exactText, limitText, parseLimit, sizeText } from './sizes.js';
import { subjectChips, subjectName, subjectSelect } from './subjects.js';
import { timeText } from './times.js';

const VIA = { member: 'as a member', default: 'by default', 'built-in': 'built in' };

/** Makes a form that asks whether an account could store something, and shows which groups and rules decide that. */
export function explanationForm() {
  const subject = subjectSelect();
  subject.value = 'size:repos:public';
  const size = el('input', { value: '0', autocomplete: 'off' });
  const result = el('div', { 'aria-live': 'polite' });
  let login = '';
  const form = el(
    'form',
    { class: 'filters' },
    field('Of', subject),
    field('As much as', size),
    el('button', {}, 'Explain'),
  );

  /** Aborts the previous request, whose answer may otherwise arrive after the next one's. */
  let asking = new AbortController();

  /** @param {AbortSignal} [ending] */
  async function explain(ending) {
    asking.abort();
    asking = new AbortController();
    const signal = ending ? AbortSignal.any([ending, asking.signal]) : asking.signal;
    const bytes = parseLimit(size.value);
    if (bytes === undefined || bytes < 0n) throw new Error('Write a size such as 500 MB.');
    const query = { subject: subject.value, size: String(bytes) };
    /** @type {Explanation | undefined} */
    const explanation = await get(at`admin/users/${login}/quota/explain`, query, signal).catch(
      (/** @type {unknown} */ error) => {
        if (!signal.aborted) throw error;
      },
    );
    if (!explanation || signal.aborted) return;
    result.replaceChildren(verdict(explanation, bytes), ...explanation.groups.map(groupBlock));
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    explain().catch((/** @type {Error} */ error) => {
      result.replaceChildren(el('p', { class: 'problem', role: 'alert' }, error.message));
    });
  });
  return {
    element: el(
      'section',
      { class: 'block', 'aria-label': 'Explanation' },
      el('h2', {}, 'May it store more?'),
      form,
      result,
    ),
    /**
     * @param {string} ofLogin
     * @param {AbortSignal} signal
     */
    refresh(ofLogin, signal) {
      result.replaceChildren(); // it may be of another account or moment
      login = ofLogin;
      return explain(signal);
    },
  };
}

/**
 * @param {Explanation} explanation
 * @param {bigint} bytes
 */
function verdict({ allowed, decided_by: by, subject }, bytes) {
  const what =
    bytes === 0n ? `more under ${subjectName(subject)}` : `${sizeText(bytes)} under ${subjectName(subject)}`;
  return el(
    'p',
    { class: 'verdict' },
    el('strong', { class: `chip ${allowed ? 'good' : 'bad'}` }, allowed ? 'Allowed' : 'Refused'),
    el('span', {}, `${what}: `, reason(by)),
  );
}

/** @param {Explanation['decided_by']} by */
function reason(by) {
  if (!by) return 'no group covers it.';
  if (by.rule === null) return named`group ${by.group} allows it.`;
  return named`rule ${by.rule} of group ${by.group} refuses it.`;
}

/** @param {ExplainedGroup} group */
function groupBlock({ name, via, passes, joined, rules }) {
  const rows = rules.map(({ name: rule, limit, subjects, covers, used, passes: rulePasses, set }) => [
    el('strong', {}, rule),
    subjectChips(subjects),
    el('span', { title: exactText(used) }, sizeText(used)),
    el('span', { title: exactText(limit) }, limitText(limit)),
    covers ? outcome(rulePasses) : el('span', { class: 'quiet' }, 'does not cover it'),
    byWhom(set),
  ]);
  return el(
    'section',
    { class: 'block' },
    el('h2', {}, el('bdi', {}, name), ' ', outcome(passes)),
    el('p', { class: 'quiet' }, `${VIA[via]}${joined ? `: ${byWhom(joined)}` : ''}`),
    table(`Rules of ${name}`, ['Rule', 'Counts', '#Used', '#Limit', 'Says', 'Set'], rows, 'It has no rules.'),
  );
}

/** @param {boolean | null} passes */
const outcome = (passes) =>
  passes === null
    ? undefined
    : el('span', { class: `chip ${passes ? 'good' : 'bad'}` }, passes ? 'allows' : 'refuses');

/** @param {Change | null} change */
const byWhom = (change) =>
  change === null
    ? ''
    : `${timeText(change.at)}${change.actor ? ` · ${change.actor.name ?? 'somebody who is gone'}` : ''}`;
