/** @import { Page } from '../api.js' */
/** @import { Consumer, Refusal, Threshold } from '../types.js' */
import { accountLink } from '../account-link.js';
import { page } from '../api.js';
import { el, field, named, table } from '../dom.js';
import { exactText, limitText, sizeText } from '../sizes.js';
import { subjectName, subjectSelect } from '../subjects.js';
import { dayText, timeText } from '../times.js';

/** @type {import('../main.js').View} */
export const activity = {
  id: 'activity',
  title: 'Activity',
  mount(root, reload) {
    const subject = subjectSelect();
    subject.addEventListener('change', () => reload());
    const consumers = el('div', { class: 'answer' });
    const refusals = el('div', { class: 'answer' });
    const thresholds = el('div', { class: 'answer' });
    root.append(
      el(
        'p',
        { class: 'lead' },
        'Who stores most, who grows fastest, who is nearly full, and who was turned away.',
      ),
      el(
        'section',
        { class: 'block' },
        el('h2', {}, 'Top consumers'),
        el('div', { class: 'filters' }, field('Of', subject)),
        consumers,
      ),
      el('section', { class: 'block' }, el('h2', {}, 'Nearly full'), thresholds),
      el('section', { class: 'block' }, el('h2', {}, 'Refusals'), refusals),
    );
    return async (signal) => {
      const largest = { subject: subject.value, limit: 20 };
      const [top, reached, refused] = await Promise.all([
        /** @type {Promise<Page<Consumer[]>>} */ (page('admin/quota/consumers', largest, signal)),
        /** @type {Promise<Page<Threshold[]>>} */ (page('admin/quota/thresholds', { limit: 50 }, signal)),
        /** @type {Promise<Page<Refusal[]>>} */ (page('admin/quota/refusals', { limit: 50 }, signal)),
      ]);
      consumers.replaceChildren(consumersTable(top.value), ...rest(top));
      thresholds.replaceChildren(thresholdsTable(reached.value), ...rest(reached));
      refusals.replaceChildren(refusalsTable(refused.value), ...rest(refused));
    };
  },
};

/**
 * Says so if a table has only the beginning of a list.
 *
 * @param {Page<unknown[]>} page
 */
const rest = ({ value, total }) =>
  total > value.length ? [el('p', { class: 'quiet' }, `The first ${value.length} of ${total}.`)] : [];

/** @param {Consumer[]} consumers */
const consumersTable = (consumers) =>
  table(
    'Top consumers',
    ['Account', '#Used', '#A day', 'Next limit'],
    consumers.map(({ user, used, growth_per_day: growth, reached }) => [
      accountLink(user.name),
      el('span', { title: exactText(used) }, sizeText(used)),
      `${Number(growth) > 0 ? '+' : ''}${sizeText(growth)}`,
      nextLimit(reached),
    ]),
    'Nobody stores anything.',
  );

/** @param {Consumer['reached']} reached */
function nextLimit(reached) {
  const [next] = reached
    .filter(({ at }) => at !== null)
    .sort((one, other) => ((one.at ?? '') < (other.at ?? '') ? -1 : 1));
  return next
    ? named`${next.rule}, ${limitText(next.limit)}: ${dayText(next.at ?? '')}`
    : el('span', { class: 'quiet' }, 'none in sight');
}

/** @param {Threshold[]} thresholds */
const thresholdsTable = (thresholds) =>
  table(
    'Nearly full',
    ['When', 'Account', '#Reached', 'Of', '#Used', '#Limit'],
    thresholds.map(({ user, percent, rule, group, used, limit, at }) => [
      timeText(at),
      accountLink(user.name),
      `${percent} %`,
      named`${rule} of ${group}`,
      sizeText(used),
      limitText(limit),
    ]),
    'Nobody has reached 80 % of a limit.',
  );

/** @param {Refusal[]} refusals */
const refusalsTable = (refusals) =>
  table(
    'Refusals',
    ['When', 'Account', 'Counts', '#Times', 'Refused by', '#Used', '#Limit', '#Asked for'],
    refusals.map(({ user, subject, minute, count, last }) => [
      timeText(minute),
      accountLink(user.name),
      subjectName(subject),
      count,
      named`${last.rule} of ${last.group}`,
      sizeText(last.used),
      limitText(last.limit),
      last.incoming === null ? el('span', { class: 'quiet' }, 'not known') : sizeText(last.incoming),
    ]),
    'Nobody was turned away.',
  );
