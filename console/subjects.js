import { el } from './dom.js';

/** The subjects that a rule can limit, in the order of a tree: the depth, the subject, and its name for people. */
const TREE = /** @type {const} */ ([
  [0, 'size:all', 'Everything'],
  [1, 'size:git:all', 'All of git'],
  [2, 'size:repos:all', 'Repositories'],
  [3, 'size:repos:public', 'Public repositories'],
  [3, 'size:repos:private', 'Private repositories'],
  [2, 'size:git:lfs', 'Git LFS'],
  [1, 'size:assets:all', 'All assets'],
  [2, 'size:assets:attachments:all', 'Attachments'],
  [3, 'size:assets:attachments:issues', 'Attachments of issues'],
  [3, 'size:assets:attachments:releases', 'Attachments of releases'],
  [2, 'size:assets:artifacts', 'Artifacts'],
  [2, 'size:assets:packages:all', 'Packages'],
  [2, 'size:assets:wiki', 'Wikis'],
  [0, 'none', 'Nothing'],
]);

/** @type {ReadonlyMap<string, string>} */
const names = new Map(TREE.map(([, subject, name]) => [subject, name]));

/** @param {string} subject */
export const subjectName = (subject) => names.get(subject) ?? subject;

/** @param {readonly string[]} subjects */
export const subjectNames = (subjects) =>
  subjects.length === 0 ? 'nothing' : subjects.map(subjectName).join(' + ');

/** @param {readonly string[]} subjects */
export const subjectChips = (subjects) =>
  el(
    'span',
    { class: 'chips' },
    ...(subjects.length > 0
      ? subjects.map((subject) => el('span', { class: 'chip', title: subject }, subjectName(subject)))
      : [el('span', { class: 'quiet' }, 'nothing')]),
  );

/** Makes a list to choose one subject from. */
export const subjectSelect = () =>
  el(
    'select',
    {},
    ...TREE.filter(([, subject]) => subject !== 'none').map(([depth, subject, name]) =>
      el('option', { value: subject }, `${'\u2003'.repeat(depth)}${name}`),
    ),
  );

/**
 * Makes check boxes to choose subjects with, as a tree.
 *
 * @param {readonly string[]} chosen
 */
export function subjectBoxes(chosen) {
  const boxes = TREE.map(([depth, subject, name]) => {
    const box = el('input', { type: 'checkbox', value: subject, checked: chosen.includes(subject) });
    return {
      box,
      label: el('label', { class: `box depth-${depth}` }, box, el('span', { title: subject }, name)),
    };
  });
  return {
    element: el(
      'fieldset',
      { class: 'subjects' },
      el('legend', {}, 'Counts'),
      ...boxes.map(({ label }) => label),
    ),
    chosen: () => boxes.filter(({ box }) => box.checked).map(({ box }) => box.value),
  };
}
