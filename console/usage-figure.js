/** @import { Series, UsageOverTime } from './types.js' */
import { el, field, named, table } from './dom.js';
import { usagePlot } from './plot.js';
import { exactText, limitText, sizeText } from './sizes.js';
import { subjectNames } from './subjects.js';
import { dayText } from './times.js';

/**
 * Shows an account's usage as a plot, and the same in words and figures, for screen readers too.
 *
 * @param {UsageOverTime} usage
 */
export function usageFigure(usage) {
  const { series, user } = usage;
  const choice = el(
    'select',
    {},
    ...series.map(({ subjects }, index) => el('option', { value: index }, subjectNames(subjects))),
  );
  const limited = series.findIndex(({ limits }) => limits.length > 0);
  choice.value = String(Math.max(0, limited));
  const shown = el('div', {});
  const show = () => {
    const chosen = series[Number(choice.value)];
    shown.replaceChildren(...(chosen ? figure(usage, chosen) : []));
  };
  choice.addEventListener('change', show);
  show();
  return el(
    'section',
    { class: 'block', 'aria-label': 'Usage over time' },
    el('h2', {}, `${user.name ?? 'The account'} over time`),
    el('div', { class: 'filters' }, field('What', choice)),
    shown,
  );
}

/**
 * @param {UsageOverTime} usage
 * @param {Series} series
 */
function figure(usage, series) {
  const { points, growth_per_day: growth, limits, reached } = series;
  const used = points.at(-1)?.used ?? 0;
  const plot = el('div', { class: 'plot' });
  const growing =
    Number(growth) === 0
      ? 'It does not change.'
      : `It ${Number(growth) > 0 ? 'grows' : 'shrinks'} by ${sizeText(Math.abs(Number(growth)))} a day.`;
  const figure = el(
    'figure',
    { class: 'figure' },
    el(
      'figcaption',
      {},
      el('strong', { title: exactText(used) }, sizeText(used)),
      ` stored at the end. ${growing}`,
    ),
    plot,
  );
  usagePlot(plot, usage, series);
  const rows = limits.map(({ group, rule, limit, from, until }) => [
    rule,
    group,
    el('span', { title: exactText(limit) }, limitText(limit)),
    dayText(from),
    until === null ? 'still' : dayText(until),
  ]);
  const dates = reached.map(({ rule, limit, at }) =>
    el(
      'li',
      {},
      named`${limitText(limit)} of rule ${rule}: ${at === null ? 'never at this rate' : `reached on ${dayText(at)} at this rate`}`,
    ),
  );
  return [
    figure,
    dates.length > 0 && el('ul', { class: 'reached' }, ...dates),
    limits.length > 0 &&
      el(
        'div',
        { class: 'block' },
        table('Limits in this time', ['Rule', 'Group', '#Limit', 'From', 'Until'], rows),
      ),
  ].filter((each) => each !== false);
}
