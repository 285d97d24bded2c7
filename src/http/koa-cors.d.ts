declare module '@koa/cors' {
  import type { Context, Middleware } from 'koa';

  export default function cors(options: {
    /** The value of Access-Control-Allow-Origin; empty: none of the headers. */
    readonly origin: (ctx: Context) => string;
    readonly allowMethods?: string;
    readonly exposeHeaders?: string;
    /** Seconds that a preflight's answer may be kept. */
    readonly maxAge?: number;
  }): Middleware;
}
