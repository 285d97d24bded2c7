import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fillRepository, git as run } from './harness/git.js';
import { API, startProduct, type Product } from './harness/product.js';
import { startProgram } from './harness/program.js';
import type { Bench, Finding, Question } from './harness/question.js';
import { figure } from './harness/report.js';
import { residentMegabytes } from './harness/resident.js';
import { compare } from './harness/rounds.js';
import { scratchFolder } from './harness/scratch.js';

const CLONE = 1.1;
const PUSH = 1.25;
const GROWTH_MB = 50;
const KIB = 1024;
const MIB = 1_048_576;

/** Measures clone and push with the real git client. */
export const git: Question = {
  name: 'git',
  about: 'clone and push against git http-backend; memory of the api while a large pack is pushed',
  async answer(bench) {
    const folder = await scratchFolder(bench);
    const product = await startProduct(bench, await bench.database());
    return [...(await againstBackend(bench, folder, product)), await largePush(bench, folder, product)];
  },
};

async function againstBackend(bench: Bench, folder: string, product: Product): Promise<Finding[]> {
  const commits = bench.quick ? 500 : 5_000;
  const source = await newRepository(join(folder, 'source'));
  await fillRepository(source, commits, 4 * KIB);
  const root = join(folder, 'root');
  const backend = await startProgram(new URL('./floor/git-server.js', import.meta.url), {
    environment: { FLOOR_GIT_ROOT: root },
  });
  bench.onEnd(() => backend.stop());

  let next = 0;
  const toBackend = async () => {
    const name = `pushed-${next++}`;
    await newRepository(join(root, name));
    return seconds(() => run(source, 'push', '--quiet', `${backend.address}/${name}`, 'main'));
  };
  const toProduct = async () => {
    const url = await newRemote(product, `pushed-${next++}`);
    return seconds(() => run(source, 'push', '--quiet', url, 'main'));
  };
  const cloneFrom = async (url: string) => {
    const clone = join(folder, `clone-${next++}`);
    const taken = await seconds(() => run(folder, 'clone', '--quiet', '--bare', url, clone));
    await rm(clone, { recursive: true });
    return taken;
  };
  const rounds = bench.quick ? 2 : 5;
  const push = await compare(rounds, toBackend, toProduct);
  await newRepository(join(root, 'cloned'));
  await run(source, 'push', '--quiet', `${backend.address}/cloned`, 'main');
  const remote = await newRemote(product, 'cloned');
  await run(source, 'push', '--quiet', remote, 'main');
  const clone = await compare(
    rounds,
    () => cloneFrom(`${backend.address}/cloned`),
    () => cloneFrom(remote),
  );
  const detail = (times: { readonly subject: number; readonly floor: number }) =>
    `${figure(times.subject)} s, http-backend ${figure(times.floor)} s; ${figure(commits)} commits`;
  return [
    { what: 'clone, time', value: clone.ratio, unit: '×', atMost: CLONE, detail: detail(clone) },
    { what: 'push, time', value: push.ratio, unit: '×', atMost: PUSH, detail: detail(push) },
  ];
}

const LOOK_EVERY_MS = 50;

async function largePush(bench: Bench, folder: string, product: Product): Promise<Finding> {
  const blobs = bench.quick ? 10 : 100;
  const source = await newRepository(join(folder, 'large'));
  await fillRepository(source, blobs, 10 * MIB);
  const remote = await newRemote(product, 'large');
  const before = await residentMegabytes(product.api.process.pid);
  let most = before;
  const looking = setInterval(() => {
    void residentMegabytes(product.api.process.pid).then((now) => (most = Math.max(most, now)));
  }, LOOK_EVERY_MS);
  try {
    await run(source, '-c', 'core.compression=0', 'push', '--quiet', remote, 'main');
  } finally {
    clearInterval(looking);
  }
  return {
    what: 'growth of the api in a large push',
    value: most - before,
    unit: 'MB',
    atMost: GROWTH_MB,
    detail: `${figure(blobs * 10)} MiB pushed, ${figure(before)} MB before`,
  };
}

async function newRepository(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await run(folder, 'init', '--quiet', '--bare', '--initial-branch=main');
  return folder;
}

/** Creates a repository of the product, and returns the URL for git. */
async function newRemote(product: Product, name: string): Promise<string> {
  const { address, user } = product;
  await product.send('POST', `${API}/user/repos`, { name });
  const url = new URL(`${user.username}/${name}.git`, address);
  url.username = user.username;
  url.password = user.password;
  return url.href;
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
}
