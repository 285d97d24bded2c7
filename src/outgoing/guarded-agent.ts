import type { Agent } from 'undici';
import { guardedConnector, type OutgoingRules } from './guarded-connect.js';
import { undici } from './undici.js';

/** For each server: 10 seconds to connect, 30 for either wait, and 16 connections where nothing else is given. */
export interface AgentLimits {
  /** Until there is a connection, the look-up of the name and TLS included. */
  readonly connectTimeoutMs?: number;
  /** Until the answer begins. */
  readonly headersTimeoutMs?: number;
  /** Between two pieces of an answer. */
  readonly bodyTimeoutMs?: number;
  /** The connections to one server at a time. */
  readonly connections?: number;
}

/**
 * Requests to servers that a user named: public addresses alone, judged at connect, and no redirect is followed.
 * Whoever sends a request bounds how much of its answer is read.
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
