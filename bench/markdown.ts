import { alike, startLoad, startObserver, type Load, type Request } from './harness/load.js';
import { API, startProduct } from './harness/product.js';
import { startProgram } from './harness/program.js';
import type { Question } from './harness/question.js';
import { figure } from './harness/report.js';
import { compare } from './harness/rounds.js';
import { textOf, wordOf } from './world/words.js';

const BYTES = 20_000;
const OF_BARE = 0.7;
const TIMES_QUIET = 2;
const RENDERERS = 2;
const OTHERS = 8;

/** Measures rendering a typical README in threads, and other requests meanwhile. */
export const markdown: Question = {
  name: 'markdown',
  about: 'a README of 20 kB against bare markdown-it and sanitize-html; other requests meanwhile',
  async answer(bench) {
    const floor = await startProgram(new URL('./floor/markdown-server.js', import.meta.url));
    bench.onEnd(() => floor.stop());
    const product = await startProduct(bench, await bench.database());
    const { address: url, headers } = product;
    const Text = readme();
    const load = startLoad(bench);
    const length = { seconds: bench.quick ? 1 : 3 };
    const rounds = bench.quick ? 2 : 7;
    const render: Load = {
      url,
      headers,
      clients: alike(RENDERERS, { method: 'POST', path: `${API}/markdown`, body: { Text, Mode: 'gfm' } }),
      length,
    };
    const bare: Request = { method: 'POST', path: '/', body: { Text } };
    const { ratio, ...figures } = await compare(
      rounds,
      () => load({ url: floor.address, clients: alike(RENDERERS, bare), length }),
      () => load(render),
    );

    const observe = startObserver(bench);
    const others: Load = {
      url,
      headers,
      clients: alike(OTHERS, { method: 'GET', path: `${API}/user` }),
      length,
    };
    const busy = await compare(
      rounds,
      async () => (await observe(others)).p99,
      async () => {
        const [{ p99 }] = await Promise.all([observe(others), load(render)]);
        return p99;
      },
    );
    return [
      {
        what: 'README',
        value: ratio,
        unit: '×',
        atLeast: OF_BARE,
        detail: `${figure(figures.subject)} renderings/s, bare ${figure(figures.floor)}`,
      },
      {
        what: 'others meanwhile, p99',
        value: busy.ratio,
        unit: '×',
        atMost: TIMES_QUIET,
        detail: `${figure(busy.subject)} ms, ${figure(busy.floor)} ms without`,
      },
    ];
  },
};

function readme(): string {
  const parts: string[] = [];
  for (let part = 0, bytes = 0; bytes < BYTES; part++) {
    const text = section(part);
    parts.push(text);
    bytes += text.length;
  }
  return parts.join('\n').slice(0, BYTES);
}

const section = (part: number): string => `## ${textOf(part, 3)}

${textOf(part + 1, 60)} with **${wordOf(part)}**, \`${wordOf(part + 1)}\` and [${wordOf(part + 2)}](https://example.org/${part}).

- ${textOf(part + 2, 8)}
- [x] ${textOf(part + 3, 8)}

| ${wordOf(part)} | ${wordOf(part + 1)} |
| --- | --- |
| ${textOf(part + 4, 4)} | ${textOf(part + 5, 4)} |

\`\`\`js
const ${wordOf(part)} = (left, right) => left.map((value) => value + right);
\`\`\`
`;
