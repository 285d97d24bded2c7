import { z } from 'zod';
import { defined } from '../../values/defined.js';
import type { ScopeCategory } from '../../domain/accounts/scopes.js';
import { notFound } from '../../domain/errors.js';
import type { HookPlace } from '../../domain/hooks/hook-messages.js';
import type { DeliveryDetails, DeliveryFilter, DeliveryRow } from '../../webhooks/deliveries.js';
import { timeText } from '../answers/time-text.js';
import type { Actions } from '../actions.js';
import { PageQuery, pageReply } from '../answers/paging.js';
import { route, type Route } from '../route.js';
import { optional, problem, queryText, queryTime, shownTime, time } from '../schema.js';
import { hookAt, hookOf, parentToBeTold, type HookFamily } from './family.js';

const statuses = ['pending', 'delivered', 'failed', 'skipped'] as const;

const status = z.enum(statuses);
const moment = time.transform((text) => new Date(text)).meta({ type: 'string', format: 'date-time' });

/** A choice of deliveries. The times bound when one was queued; `since` is inclusive, `until` is not. */
const ChosenBody = z.object({
  status: optional(status),
  since: optional(moment),
  until: optional(moment),
});

/** As `ChosenBody`; what is empty counts as absent. */
const ChosenQuery = z.object({
  status: queryText.pipe(status.optional()).meta({ type: 'string', enum: [...statuses] }),
  since: queryTime,
  until: queryTime,
});

const refusals = { 401: problem, 403: problem, 404: problem, 422: problem };

const HookDelivery = z
  .object({
    id: z.uuid(),
    event: z.string(),
    event_type: z.string(),
    status: z.enum(statuses),
    /** The attempts since it was queued, or queued again. */
    attempts: z.int(),
    created_at: shownTime,
    attempted_at: shownTime.nullable(),
    next_attempt_at: shownTime.nullable(),
    settled_at: shownTime.nullable(),
    duration_ms: z.int().nullable(),
    response_status: z.int().nullable(),
    error: z.string().nullable(),
  })
  .meta({ id: 'HookDelivery' });

const headers = z.record(z.string(), z.string());

/** Adds what was sent and what came back at the last attempt; `Authorization` is masked. */
const HookDeliveryDetails = HookDelivery.extend({
  payload: z.string(),
  request: z.object({ url: z.string(), headers }).meta({ id: 'HookDeliveryRequest' }).nullable(),
  response: z
    .object({ status: z.int(), headers, body: z.string() })
    .meta({ id: 'HookDeliveryResponse' })
    .nullable(),
}).meta({ id: 'HookDeliveryDetails' });

const QueuedDeliveries = z.object({ queued: z.int() }).meta({ id: 'QueuedDeliveries' });

/** The scopes that routes to deliveries need: payloads show code and issues, so that a token must reach these as well. */
const scopesToBeTold = ({ scope }: Pick<HookFamily<unknown, unknown>, 'scope'>): readonly ScopeCategory[] =>
  scope === 'admin' ? [scope] : [...new Set(['issue', 'repository', scope] as const)];

/** Makes the routes that show and repeat the deliveries of a family's hooks. */
export function deliveryRoutes<Params, Parent>(family: HookFamily<Params, Parent>): Route[] {
  const { name, path, access, placeOf } = family;
  const scope = scopesToBeTold(family);
  const parent = parentToBeTold(family);
  const onHook = { access, scope, params: family.hookParams, parent, exists: hookOf(family) };
  const onDelivery = { access, scope, params: family.deliveryParams, parent };

  return [
    route({
      id: `${name}ListHookDeliveries`,
      method: 'GET',
      path: `${path}/{id}/deliveries`,
      ...onHook,
      query: z.object({ ...PageQuery.shape, ...ChosenQuery.shape }),
      answers: { 200: z.array(HookDelivery), ...refusals },
      async handle({ parent: met, params, query, db, services, page, url }) {
        const { id } = await hookAt(db, placeOf(met), params.id);
        const part = page(query);
        const [rows, total] = await services.deliveries.list(id, filterOf(query), part);
        return pageReply(rows.map(present), total, part, url);
      },
    }),

    route({
      id: `${name}GetHookDelivery`,
      method: 'GET',
      path: `${path}/{id}/deliveries/{delivery}`,
      ...onDelivery,
      answers: { 200: HookDeliveryDetails, 401: problem, 403: problem, 404: problem },
      handle: (request) => deliveryNow(placeOf(request.parent), request.params, request),
    }),

    /** Sends it again under the same id, so that the receiver recognises it. */
    route({
      id: `${name}RedeliverHookDelivery`,
      method: 'POST',
      path: `${path}/{id}/deliveries/{delivery}/redeliver`,
      ...onDelivery,
      answers: { 202: HookDeliveryDetails, 401: problem, 403: problem, 404: problem },
      async handle(request) {
        const { parent: met, params, services, db } = request;
        const place = placeOf(met);
        const { id } = await hookAt(db, place, params.id);
        if (!(await services.deliveries.redeliver(id, deliveryId(params)))) throw deliveryAbsent();
        return deliveryNow(place, params, request);
      },
    }),

    /** Queues deliveries of a time range again, of one status or any, by query or body; waiting ones stay as they are. */
    route({
      id: `${name}RedeliverHookDeliveries`,
      method: 'POST',
      path: `${path}/{id}/redeliver`,
      ...onHook,
      query: ChosenQuery,
      body: ChosenBody,
      answers: { 202: QueuedDeliveries, ...refusals },
      async handle({ parent: met, params, query, body, db, services }) {
        const { id } = await hookAt(db, placeOf(met), params.id);
        const filter = { ...filterOf(query), ...filterOf(body) };
        return { queued: await services.deliveries.redeliverRange(id, filter) };
      },
    }),
  ];
}

async function deliveryNow(
  place: HookPlace,
  params: { readonly id: number; readonly delivery: string },
  { db, services }: Pick<Actions, 'db' | 'services'>,
): Promise<z.output<typeof HookDeliveryDetails>> {
  const { id } = await hookAt(db, place, params.id);
  const delivery = await services.deliveries.find(id, deliveryId(params));
  if (!delivery) throw deliveryAbsent();
  return presentDetails(delivery);
}

/** Returns the delivery's id. Throws 404 if it is not a UUID, because no delivery has it then. */
function deliveryId({ delivery }: { readonly delivery: string }): string {
  if (!z.uuid().safeParse(delivery).success) throw deliveryAbsent();
  return delivery;
}

const deliveryAbsent = () => notFound('delivery.absent', 'the delivery does not exist');

const filterOf = ({ status, since, until }: Partial<z.output<typeof ChosenBody>>): DeliveryFilter =>
  defined({ status, since, until });

const present = (row: DeliveryRow): z.output<typeof HookDelivery> => ({
  id: row.id,
  event: row.event,
  event_type: row.eventType,
  status: row.status,
  attempts: row.attempts,
  created_at: timeText(row.createdAt),
  attempted_at: row.attemptedAt && timeText(row.attemptedAt),
  next_attempt_at: row.dueAt && timeText(row.dueAt),
  settled_at: row.settledAt && timeText(row.settledAt),
  duration_ms: row.durationMs,
  response_status: row.responseStatus,
  error: row.error,
});

const presentDetails = (row: DeliveryDetails): z.output<typeof HookDeliveryDetails> => ({
  ...present(row),
  payload: row.payload,
  request: row.request,
  response: row.response,
});
