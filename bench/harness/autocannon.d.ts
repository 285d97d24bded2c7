/** What we use of autocannon, which comes without types. */
declare module 'autocannon' {
  interface Request {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  }
  interface Client {
    setRequests(requests: readonly Request[]): void;
    on(event: 'response', listener: (status: number, bytes: number, milliseconds: number) => void): void;
  }
  interface Options {
    readonly url: string;
    readonly connections: number;
    /** Seconds. */
    readonly duration?: number;
    /** Requests; in place of `duration`. */
    readonly amount?: number;
    /** Milliseconds between samples; a run ends at one. */
    readonly sampleInt?: number;
    setupClient(client: Client): void;
  }
  interface Result {
    readonly '2xx': number;
    readonly non2xx: number;
    readonly errors: number;
    readonly timeouts: number;
  }
  export default function autocannon(options: Options): Promise<Result>;
}
