/** @import { Group, Rule, User } from '../types.js' */
import { ApiError, at, canAsk, get, send } from '../api.js';
import { announce } from '../announce.js';
import { ask } from '../dialog.js';
import { el, field, renew } from '../dom.js';
import { eachOf } from '../each-of.js';
import { asOf } from '../moment.js';
import { exactText, limitText } from '../sizes.js';
import { subjectChips } from '../subjects.js';
import { loadChanges } from '../time-bar.js';
import { usersList } from '../users-list.js';

/** @typedef {{ readonly group: Group, readonly members: User[] | undefined }} WithMembers `members` as `withMembers` has them */

/** @type {import('../main.js').View} */
export const groups = {
  id: 'groups',
  title: 'Groups',
  mount(root, reload) {
    const changed = () => {
      reload();
      void loadChanges();
    };
    const cards = el('div', { class: 'cards answer' });
    root.append(
      el(
        'p',
        { class: 'lead' },
        'An account may store what one of its groups allows; in a group every rule must allow it.',
      ),
      el(
        'div',
        { class: 'toolbar' },
        el('button', { class: 'primary of-now', onclick: () => createGroup(changed) }, 'New group'),
      ),
      cards,
    );
    return async (signal) => {
      const [all, rules] = await Promise.all([
        /** @type {Promise<Group[]>} */ (get('admin/quota/groups', {}, signal)),
        /** @type {Promise<Rule[]>} */ (get('admin/quota/rules', {}, signal)),
      ]);
      const found = (await eachOf(all, (group) => withMembers(group, signal))).flat();
      renew(
        cards,
        ...found.map((group) => card(group, rules, changed)),
        ...(found.length === 0 ? [el('p', { class: 'quiet' }, 'There are no groups.')] : []),
      );
    };
  },
};

/**
 * Gets a group's members; undefined if a browser cannot request them, see `canAsk`. Returns nothing for a group that somebody
 * else has deleted since it was listed.
 *
 * @param {Group} group
 * @param {AbortSignal} signal
 * @returns {Promise<WithMembers[]>}
 */
async function withMembers(group, signal) {
  const path = at`admin/quota/groups/${group.name}/users`;
  if (!canAsk(path)) return [{ group, members: undefined }];
  try {
    return [{ group, members: await get(path, {}, signal) }];
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return [];
    throw error;
  }
}

/**
 * @param {WithMembers} shown
 * @param {Rule[]} rules
 * @param {() => void} changed
 */
function card({ group, members }, rules, changed) {
  const edits = asOf() === undefined && members !== undefined;
  const people = members ?? [];
  const others = rules.filter(({ name }) => !group.rules.some((rule) => rule.name === name));
  const heading = el('h2', {}, group.name);
  return el(
    'article',
    { class: 'card', 'aria-label': `Group ${group.name}` },
    el(
      'header',
      {},
      heading,
      edits &&
        el(
          'button',
          {
            onclick: () => deleteGroup(group.name, people, changed),
            'aria-label': `Delete group ${group.name}`,
          },
          'Delete',
        ),
    ),
    el('h3', {}, `Rules (${group.rules.length})`),
    el('ul', { class: 'items' }, ...group.rules.map((rule) => ruleItem(group.name, rule, edits, changed))),
    group.rules.length === 0 && el('p', { class: 'quiet' }, 'Without rules it limits nothing.'),
    edits && others.length > 0 && ruleForm(group.name, others, changed),
    el('h3', {}, members ? `Members (${members.length})` : 'Members'),
    el(
      'ul',
      { class: 'items people' },
      ...people.map((user) => memberItem(group.name, user, edits, changed)),
    ),
    people.length === 0 &&
      el('p', { class: 'quiet' }, members ? 'Nobody.' : 'A browser cannot ask for them.'),
    edits && memberForm(group.name, changed),
  );
}

/**
 * @param {string} group
 * @param {Rule} rule
 * @param {boolean} edits
 * @param {() => void} changed
 */
const ruleItem = (group, { name, limit, subjects }, edits, changed) =>
  el(
    'li',
    {},
    el('span', { class: 'grow' }, el('strong', {}, name), ' ', subjectChips(subjects)),
    el('span', { class: 'number', title: exactText(limit) }, limitText(limit)),
    edits &&
      remove(`Take rule ${name} out of ${group}`, at`admin/quota/groups/${group}/rules/${name}`, changed),
  );

/**
 * @param {string} group
 * @param {User} user
 * @param {boolean} edits
 * @param {() => void} changed
 */
const memberItem = (group, { login }, edits, changed) =>
  el(
    'li',
    {},
    el('span', { class: 'initial', 'aria-hidden': 'true' }, login.slice(0, 1).toUpperCase()),
    el('a', { class: 'grow', href: `#account/${encodeURIComponent(login)}` }, login),
    edits && remove(`Remove ${login} from ${group}`, at`admin/quota/groups/${group}/users/${login}`, changed),
  );

/**
 * @param {string} what
 * @param {string} path
 * @param {() => void} changed
 */
const remove = (what, path, changed) =>
  el(
    'button',
    {
      class: 'small',
      title: what,
      'aria-label': what,
      onclick: once(() => attempt(() => send('DELETE', path), `Done: ${what}.`, changed)),
    },
    '×',
  );

/**
 * Its value is written out, because blanks of the text do not count.
 *
 * @param {Rule} rule
 */
const option = ({ name }) => el('option', { value: name }, name);

/**
 * Makes a form that adds a rule. Its options come with the focus: many rules in each of many groups would be millions.
 *
 * @param {string} group
 * @param {Rule[]} others
 * @param {() => void} changed
 */
function ruleForm(group, others, changed) {
  const choice = el('select', { 'aria-label': `Rule to add to ${group}` }, ...others.slice(0, 1).map(option));
  choice.addEventListener('focus', () => choice.append(...others.slice(1).map(option)), { once: true });
  return inline(choice, 'Add rule', () =>
    attempt(
      () => send('PUT', at`admin/quota/groups/${group}/rules/${choice.value}`),
      `Rule ${choice.value} is in ${group}.`,
      changed,
    ),
  );
}

/**
 * @param {string} group
 * @param {() => void} changed
 */
function memberForm(group, changed) {
  const name = el('input', {
    required: true,
    pattern: '.*\\S.*', // blanks alone name nobody
    placeholder: 'User name',
    'aria-label': `User to add to ${group}`,
    autocomplete: 'off',
    list: usersList(),
  });
  return inline(name, 'Add member', () =>
    attempt(
      async () => {
        await send('PUT', at`admin/quota/groups/${group}/users/${name.value.trim()}`);
        name.value = '';
      },
      `${name.value.trim()} is in ${group}.`,
      changed,
    ),
  );
}

/**
 * @param {HTMLElement} control
 * @param {string} action
 * @param {() => Promise<boolean>} run
 */
function inline(control, action, run) {
  const form = el('form', { class: 'inline' }, control, el('button', {}, action));
  const submit = once(run);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    submit();
  });
  return form;
}

/**
 * Does the work and announces that it is done, or announces the error and resolves to false. Shows what is there now also
 * where it is refused because somebody else has changed it.
 *
 * @param {() => Promise<unknown>} work
 * @param {string} done
 * @param {() => void} changed
 */
const attempt = (work, done, changed) =>
  work().then(
    () => {
      announce(done);
      changed();
      return true;
    },
    (/** @type {Error} */ error) => {
      announce(error.message);
      if (error instanceof ApiError && [404, 409].includes(error.status)) changed();
      return false;
    },
  );

/**
 * Makes a listener that runs once, and again only if that failed: a control that vanishes on success may be pressed twice.
 *
 * @param {() => Promise<boolean>} run
 */
function once(run) {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    void run().then((done) => (isDone = done));
  };
}

/** @param {() => void} changed */
function createGroup(changed) {
  const name = el('input', { required: true, autocomplete: 'off' });
  ask({
    title: 'New group',
    content: [field('Name', name)],
    action: 'Create',
    async run() {
      const created = name.value; // it can be edited on while the request is under way
      await send('POST', 'admin/quota/groups', { name: created });
      changed();
      return `Group ${created} is created.`;
    },
  });
}

/**
 * @param {string} name
 * @param {User[]} members
 * @param {() => void} changed
 */
function deleteGroup(name, members, changed) {
  ask({
    title: `Delete group ${name}?`,
    content: [
      el(
        'p',
        {},
        `It has ${members.length} ${members.length === 1 ? 'member' : 'members'}. Its rules stay, and so does its history.`,
      ),
    ],
    action: 'Delete group',
    dangerous: true,
    async run() {
      await send('DELETE', at`admin/quota/groups/${name}`);
      changed();
      return `Group ${name} is deleted.`;
    },
  });
}
