/** @import { UsageOverTime } from '../types.js' */
import { at, get } from '../api.js';
import { el, field } from '../dom.js';
import { timeOfMoment } from '../moment.js';
import { usageFigure } from '../usage-figure.js';
import { usersList } from '../users-list.js';
import { explanationForm } from '../explanation.js';

/** The ranges of the plot: the days before its end, the step between its points, and the name. */
const RANGES = /** @type {const} */ ([
  [1, '1h', 'One day'],
  [7, '6h', 'A week'],
  [30, '1d', 'A month'],
  [365, '7d', 'A year'],
]);

/** @type {import('../main.js').View} */
export const account = {
  id: 'account',
  title: 'Account',
  mount(root, reload) {
    const name = el('input', { required: true, autocomplete: 'off', spellcheck: false, list: usersList() });
    const range = el(
      'select',
      {},
      ...RANGES.map(([days, , label]) => el('option', { value: days, selected: days === 30 }, label)),
    );
    const form = el(
      'form',
      { class: 'filters' },
      field('User or organization', name),
      field('Usage over', range),
      el('button', { class: 'primary' }, 'Show'),
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const address = `#account/${encodeURIComponent(name.value.trim())}`;
      if (location.hash === address) reload();
      else location.hash = address;
    });
    range.addEventListener('change', () => {
      if (name.value !== '') form.requestSubmit(); // for the account in the text field now
    });
    const usage = el('div', {});
    const explanation = explanationForm();
    const found = el('div', { hidden: true }, usage, explanation.element);
    root.append(
      el(
        'p',
        { class: 'lead' },
        'What an account stores, what limits it, and why something is allowed or refused.',
      ),
      form,
      found,
    );

    return async (signal) => {
      const login = decodeURIComponent(location.hash.split('/')[1] ?? '');
      if (login !== '') name.value = login;
      const asked = name.value.trim();
      if (asked === '') return;
      if (login === '') history.replaceState(null, '', `#account/${encodeURIComponent(asked)}`);
      found.hidden = true;
      const [days, step] = RANGES.find(([each]) => String(each) === range.value) ?? RANGES[2];
      const end = timeOfMoment() ?? Date.now();
      const query = { since: new Date(end - days * 86_400_000).toISOString(), step };
      /** @type {UsageOverTime} */
      const over = await get(at`admin/users/${asked}/quota/usage`, query, signal);
      usage.replaceChildren(usageFigure(over));
      found.hidden = false;
      await explanation.refresh(asked, signal);
    };
  },
};
