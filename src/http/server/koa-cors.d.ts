declare module '@koa/cors' {
  import type { Context, Middleware } from 'koa';

  export default function cors(options: {
    /** Returns the value of Access-Control-Allow-Origin; if it is empty, none of the CORS headers are sent. */
    readonly origin: (ctx: Context) => string;
    readonly allowMethods?: string;
    readonly exposeHeaders?: string;
    /** For how many seconds the answer to a preflight may be cached. */
    readonly maxAge?: number;
  }): Middleware;
}
