const taskList = 'a box tells where in the source its item stands';
const wikiLink = 'two brackets are a link of a wiki';
const bareAddress = 'an address is a link without brackets';
const www = 'only what begins with http or https is an address';
const comments = 'comments are those of CommonMark 0.31';

/** The examples of GitHub Flavored Markdown that are answered otherwise on purpose, and why. */
export const deliberate: Readonly<Record<number, string>> = {
  279: taskList,
  280: taskList,
  557: wikiLink,
  568: wikiLink,
  599: wikiLink,
  611: bareAddress,
  617: bareAddress,
  620: bareAddress,
  621: bareAddress,
  622: www,
  623: www,
  624: www,
  625: www,
  626: www,
  627: www,
  628: www,
  631: 'hosts of mail addresses are taken as they are written',
  632: 'the last part of the host of a mail address has two characters at least',
  649: comments,
  650: comments,
};
