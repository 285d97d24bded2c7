import { announce } from './announce.js';
import { byId, el } from './dom.js';

const dialog = byId('dialog', HTMLDialogElement);

/**
 * Shows a dialog, and calls `run` when it is confirmed. If `run` fails, the dialog stays open and shows the error. When it
 * closes, the focus returns to where it was.
 *
 * @param {{
 *   title: string,
 *   content: (Node | string)[],
 *   action: string,
 *   dangerous?: boolean,
 *   run: () => Promise<string>,
 * }} question `run` returns the text to announce on success
 */
export function ask({ title, content, action, dangerous = false, run }) {
  const problem = el('p', { class: 'problem', role: 'alert' });
  const confirm = el('button', { class: dangerous ? 'danger' : 'primary' }, action);
  const cancel = el('button', { type: 'button', onclick: () => dialog.close() }, 'Cancel');
  const form = el(
    'form',
    {},
    el('h2', { id: 'dialog-title' }, title),
    ...content,
    problem,
    el('div', { class: 'actions' }, cancel, confirm),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    confirm.disabled = true;
    // The dialog may have been closed meanwhile, and another one opened.
    const isShown = () => dialog.open && form.isConnected;
    run().then(
      (done) => {
        if (isShown()) dialog.close();
        announce(done);
      },
      (/** @type {unknown} */ error) => {
        const message = error instanceof Error ? error.message : String(error);
        confirm.disabled = false;
        problem.textContent = message;
        if (!isShown()) announce(message);
      },
    );
  });
  dialog.replaceChildren(form);
  dialog.showModal();
}
