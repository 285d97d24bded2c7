// The API's answers, limited to what the console uses. Integers beyond 2^53 arrive as bigint.

export type Bytes = number | bigint;

export interface Rule {
  name: string;
  limit: Bytes;
  subjects: string[];
}

export interface Group {
  name: string;
  rules: Rule[];
}

export interface User {
  id: number;
  login: string;
  full_name: string;
}

export interface Person {
  id: number;
  name: string | null;
}

export interface QuotaChange {
  position: number;
  type: string;
  at: string;
  actor: Person | null;
  user: Person | null;
  groups: string[];
  rules: string[];
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

export interface Change {
  at: string;
  actor: Person | null;
}

export interface Explanation {
  user: Person;
  subject: string;
  allowed: boolean;
  decided_by: { group: string; rule: string | null } | null;
  groups: ExplainedGroup[];
}

export interface ExplainedGroup {
  name: string;
  via: 'member' | 'default' | 'built-in';
  passes: boolean | null;
  joined: Change | null;
  rules: ExplainedRule[];
}

export interface ExplainedRule extends Rule {
  covers: boolean;
  used: Bytes;
  passes: boolean | null;
  set: Change | null;
}

export interface UsageOverTime {
  user: Person;
  since: string;
  until: string;
  series: Series[];
}

export interface Series {
  subjects: string[];
  points: { at: string; used: Bytes }[];
  growth_per_day: Bytes;
  limits: { group: string; rule: string; limit: Bytes; from: string; until: string | null }[];
  reached: Reached[];
}

export interface Reached {
  group: string;
  rule: string;
  limit: Bytes;
  at: string | null;
}

export interface Consumer {
  user: Person;
  subject: string;
  used: Bytes;
  growth_per_day: Bytes;
  reached: Reached[];
}

export interface Threshold {
  user: Person;
  group: string;
  rule: string;
  limit: Bytes;
  used: Bytes;
  percent: number;
  at: string;
}

export interface Refusal {
  user: Person;
  subject: string;
  minute: string;
  count: number;
  actor: Person | null;
  last: { group: string; rule: string; limit: Bytes; used: Bytes; incoming: Bytes | null };
}

export interface Rehearsal {
  since: string;
  days: number;
  operations: number;
  over_total: number;
  over: {
    user: Person;
    group: string;
    rule: string;
    subjects: string[];
    limit: Bytes;
    used: Bytes;
    over_by: Bytes;
  }[];
  refused_total: number;
  refused: {
    at: string;
    user: Person;
    subject: string;
    size: Bytes;
    used: Bytes;
    group: string;
    rule: string;
    limit: Bytes;
  }[];
}
