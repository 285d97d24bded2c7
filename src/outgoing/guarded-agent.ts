import type { Agent } from 'undici';
import { guardedConnector, type OutgoingRules } from './guarded-connect.js';
import { undici } from './undici.js';

/** Limits for each server. Defaults: 10 s to connect, 30 s for each of the two other timeouts, 16 connections. */
export interface AgentLimits {
  /** Until a connection is established, including name look-up and TLS. */
  readonly connectTimeoutMs?: number;
  /** Until the response begins. */
  readonly headersTimeoutMs?: number;
  /** Between two chunks of a response. */
  readonly bodyTimeoutMs?: number;
  /** The maximum number of connections to a server. */
  readonly connections?: number;
}

/**
 * Creates an agent for requests to servers that users named. It connects to public addresses only, checked when it
 * connects, and follows no redirect. The caller must bound how much of a response it reads.
 */
export const guardedAgent = (
  rules: OutgoingRules,
  { connectTimeoutMs, headersTimeoutMs = 30_000, bodyTimeoutMs = 30_000, connections = 16 }: AgentLimits = {},
): Agent =>
  new (undici().Agent)({
    connect: guardedConnector(rules, connectTimeoutMs),
    headersTimeout: headersTimeoutMs,
    bodyTimeout: bodyTimeoutMs,
    connections,
    pipelining: 1,
    maxHeaderSize: 16_384,
  });
