import { byId, el } from './dom.js';
import { restorePart } from './linked-part.js';
import { onMoment } from './moment.js';
import { startTimeBar } from './time-bar.js';
import { account } from './views/account.js';
import { activity } from './views/activity.js';
import { groups } from './views/groups.js';
import { history } from './views/history.js';
import { rehearsal } from './views/rehearsal.js';
import { rules } from './views/rules.js';

/**
 * A part of the console. `mount` is called once; the function it returns is called whenever the part is shown or the moment
 * changes. The signal aborts requests that have become outdated.
 *
 * @typedef {{
 *   readonly id: string,
 *   readonly title: string,
 *   readonly mount: (root: HTMLElement, reload: () => void) => (signal: AbortSignal) => Promise<void>,
 * }} View
 */

/** @type {readonly View[]} */
const views = [groups, rules, account, history, rehearsal, activity];

const main = byId('main', HTMLElement);
const nav = byId('nav', HTMLElement);

const parts = views.map((view) => {
  const link = el('a', { href: `#${view.id}` }, view.title);
  const heading = el('h1', { id: `${view.id}-heading` }, view.title);
  const body = el('div', {});
  const problem = el('p', { class: 'problem', role: 'alert' });
  const section = el(
    'section',
    { id: view.id, hidden: true, 'aria-labelledby': heading.id },
    heading,
    problem,
    body,
  );
  nav.append(link);
  main.append(section);
  const refresh = view.mount(body, () => void show());
  return { view, link, section, problem, refresh };
});

let loading = new AbortController();

/** Shows the part that the address names, as of the chosen moment. */
async function show() {
  const [name = ''] = location.hash.slice(1).split('/');
  const current = parts.find(({ view }) => view.id === name) ?? parts[0];
  if (!current) return;
  for (const { link, section } of parts) {
    section.hidden = section !== current.section;
    if (section === current.section) {
      link.setAttribute('aria-current', 'page');
      link.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    } else link.removeAttribute('aria-current');
  }
  document.title = `${current.view.title} · Tallyforge quotas`;
  loading.abort();
  const { signal } = (loading = new AbortController());
  main.setAttribute('aria-busy', 'true');
  try {
    await current.refresh(signal);
    if (signal.aborted) return;
    current.section.classList.remove('failed');
    current.problem.textContent = '';
  } catch (error) {
    if (signal.aborted) return;
    current.section.classList.add('failed'); // hides the answer before, which may be of another moment
    current.problem.textContent = error instanceof Error ? error.message : String(error);
  }
  main.removeAttribute('aria-busy');
}

// Focuses `main` itself, because the link's fragment would be taken for the name of a part.
document.querySelector('.skip')?.addEventListener('click', (event) => {
  event.preventDefault();
  main.focus();
});
addEventListener('hashchange', () => void show());
onMoment(() => void show());
restorePart();
startTimeBar();
await show();
