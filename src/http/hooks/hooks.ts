import { z } from 'zod';
import { attemptedId } from '../../commands/repeated.js';
import { defined } from '../../values/defined.js';
import { DomainError } from '../../domain/errors.js';
import { hookEventsFor } from '../../domain/hooks/hook-events.js';
import type { HookFacts, HookPlace } from '../../domain/hooks/hook-messages.js';
import { Hook } from '../../domain/hooks/hook.js';
import { countHooks, listHooks } from '../../queries/hooks/hooks.js';
import type { HookSecretPart } from '../../vault/hook-secrets.js';
import type { Actions } from '../actions.js';
import { oneAtATime } from '../one-at-a-time.js';
import { PageQuery, pageReply } from '../answers/paging.js';
import { route, type Route } from '../route.js';
import { nothing, problem } from '../schema.js';
import type { Services } from '../services.js';
import { hookAt, hookOf, parentToBeTold, type HookFamily } from './family.js';
import { presentHooks } from './presenter.js';
import { CreateHookBody, EditHookBody, Hook as HookAnswer } from './schema.js';

const refusals = { 401: problem, 403: problem, 404: problem };

/** The events of a hook that names none. */
const DEFAULT_EVENTS = ['push'];

/** Makes the routes that list, create, show, edit and delete a family's hooks. */
export function hookRoutes<Params, Parent>(family: HookFamily<Params, Parent>): Route[] {
  const { name, path, access, scope, params, parent, placeOf } = family;
  const onList = { access, scope, params, parent };
  const onHook = { access, scope, params: family.hookParams, parent, exists: hookOf(family) };
  const toBeTold = { parent: parentToBeTold(family) };

  return [
    route({
      id: `${name}ListHooks`,
      method: 'GET',
      path,
      ...onList,
      query: PageQuery,
      answers: { 200: z.array(HookAnswer), ...refusals },
      async handle({ parent: met, query, db, services, page }) {
        const place = placeOf(met);
        const part = page(query);
        const [rows, total] = await listHooks(db, place, part);
        return pageReply(await presentHooks(rows, services), total, part);
      },
    }),

    route({
      id: `${name}CreateHook`,
      method: 'POST',
      path,
      ...onList,
      ...toBeTold,
      body: CreateHookBody,
      answers: { 201: HookAnswer, 422: problem, ...refusals },
      async handle(request) {
        const { parent: met, body, context, handle, newId, now, services } = request;
        const place = placeOf(met);
        const attempted = attemptedId(Hook, context);
        const create = async () => {
          const hookId = Number(attempted ?? (await newId('hook')));
          const facts: HookFacts = {
            url: body.config.url,
            contentType: body.config.content_type,
            events: eventsOf(body.events),
            branchFilter: body.branch_filter ?? '',
            isActive: body.active ?? false,
            secretId: null,
            authorizationId: null,
            ...(await keptSecrets(services, hookId, body)),
          };
          await handle(Hook, hookId, {
            type: 'CreateHook',
            data: { hookId, ...place, type: body.type, facts, at: now() },
          });
          return hookId;
        };
        const hookId = await (attempted === undefined ? havingOneMore(request, place, create) : create());
        return hookNow(place, hookId, request);
      },
    }),

    route({
      id: `${name}GetHook`,
      method: 'GET',
      path: `${path}/{id}`,
      ...onHook,
      answers: { 200: HookAnswer, ...refusals },
      handle: (request) => hookNow(placeOf(request.parent), request.params.id, request),
    }),

    /** Fields that are absent stay as they are; an empty list of events stands for the default ones. */
    route({
      id: `${name}EditHook`,
      method: 'PATCH',
      path: `${path}/{id}`,
      ...onHook,
      ...toBeTold,
      body: EditHookBody,
      answers: { 200: HookAnswer, 422: problem, ...refusals },
      async handle(request) {
        const { parent: met, params: asked, body, handle, now, services, db } = request;
        const place = placeOf(met);
        const { id } = await hookAt(db, place, asked.id);
        const changes = { ...changesOf(body), ...(await keptSecrets(services, id, body)) };
        await handle(Hook, id, { type: 'EditHook', data: { changes, at: now() } });
        await request.shown();
        return hookNow(place, id, request);
      },
    }),

    route({
      id: `${name}DeleteHook`,
      method: 'DELETE',
      path: `${path}/{id}`,
      ...onHook,
      answers: { 204: nothing, ...refusals },
      async handle({ parent: met, params: asked, handle, now, services, db }) {
        const { id } = await hookAt(db, placeOf(met), asked.id);
        await handle(Hook, id, { type: 'DeleteHook', data: { at: now() } });
        await services.vault.hookSecrets.forget(id);
        await services.deliveries.forget(id);
      },
    }),
  ];
}

/** How many hooks a place may have, because each stores its deliveries; administrators bound the whole server's. */
const MOST_HOOKS = 100;

/**
 * Runs `create` if the place may have one more hook. Hooks of a place are created one at a time, so that each counts for
 * the next.
 */
async function havingOneMore<T>(
  { db, services }: Pick<Actions, 'db' | 'services'>,
  place: HookPlace,
  create: () => Promise<T>,
): Promise<T> {
  if (place.scope === 'system') return create();
  return oneAtATime(services, { kind: 'hooks', whose: `${place.scope} ${place.ownerId}` }, async () => {
    if ((await countHooks(db, place)) >= MOST_HOOKS)
      throw new DomainError(
        'invalid',
        'hook.too_many',
        `there are ${MOST_HOOKS} hooks here, which is the most`,
      );
    return create();
  });
}

/** Presents the hook as it is now. */
async function hookNow(place: HookPlace, id: number, { db, services }: Pick<Actions, 'db' | 'services'>) {
  const [hook] = await presentHooks([await hookAt(db, place, id)], services);
  return hook;
}

const changesOf = (body: z.output<typeof EditHookBody>): Partial<HookFacts> =>
  defined({
    url: body.config?.url,
    contentType: body.config?.content_type,
    events: body.events && eventsOf(body.events),
    branchFilter: body.branch_filter,
    isActive: body.active,
  });

/** Stores a body's secrets in the vault, and returns their ids for the event; null for empty text, which removes one. */
async function keptSecrets(
  { vault }: Pick<Services, 'vault'>,
  hookId: number,
  body: z.output<typeof EditHookBody>,
): Promise<Partial<HookFacts>> {
  const keep = async (part: HookSecretPart, text: string | undefined) =>
    text === '' ? null : text && vault.hookSecrets.keep(hookId, part, text);
  return defined({
    secretId: await keep('secret', body.config?.secret),
    authorizationId: await keep('authorization', body.authorization_header),
  });
}

/** Returns the requested events; an empty list counts as absent. */
const eventsOf = (asked: readonly string[] = []) => hookEventsFor(asked.length > 0 ? asked : DEFAULT_EVENTS);
