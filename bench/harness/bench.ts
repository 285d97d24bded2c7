import type { Bench, Finding, Question } from './question.js';
import { startServer } from './postgres.js';
import { Worlds } from '../world/worlds.js';

export interface BenchRun {
  /** Answers a question and takes down what it opened. */
  ask(question: Question): Promise<readonly Finding[]>;
  close(): Promise<void>;
}

/** Starts what all questions share: a PostgreSQL for this run and, on demand, one with the worlds. */
export async function openBench(options: Pick<Bench, 'quick' | 'profile'>): Promise<BenchRun> {
  const server = await startServer();
  const worlds = new Worlds(options.quick);
  return {
    async ask(question) {
      const opened: (() => unknown)[] = [];
      try {
        return await question.answer({
          ...options,
          database: () => server.database(),
          world: (name) => worlds.open(name),
          onEnd: (close) => opened.push(close),
        });
      } finally {
        for (const close of opened.toReversed()) await close();
      }
    },
    async close() {
      await worlds.close();
      await server.stop();
    },
  };
}
