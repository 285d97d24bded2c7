import { Map } from 'immutable';
import type { Decider, Message } from '../decider.js';
import { invalid, notFound } from '../errors.js';
import type { RepositoryEvent } from './repository-messages.js';

/** The commands of a repository's deploy keys. `key` is one line; `fingerprint` has the form `SHA256:…`. */
export type DeployKeysCommand =
  | Message<
      'AddDeployKey',
      {
        keyId: number;
        title: string;
        key: string;
        fingerprint: string;
        readOnly: boolean;
        addedBy: number;
        /** Whether a user has it as a personal key. */
        isOfUser: boolean;
        at: string;
      }
    >
  | Message<'RemoveDeployKey', { keyId: number; at: string }>;

/** The events of the deploy keys. */
export type DeployKeysEvent = Extract<RepositoryEvent, { type: 'DeployKeyAdded' | 'DeployKeyRemoved' }>;

/** The deploy keys, by id. */
export type DeployKeysState = Map<number, { readonly title: string; readonly fingerprint: string }>;

/** The keys of machines that use one repository: a part of the Repository aggregate. */
export const DeployKeys: Decider<DeployKeysCommand, DeployKeysEvent, DeployKeysState> = {
  category: 'repository',
  initialState: Map(),

  evolve(keys, { type, data }) {
    switch (type) {
      case 'DeployKeyAdded':
        return keys.set(data.keyId, { title: data.title, fingerprint: data.fingerprint });
      case 'DeployKeyRemoved':
        return keys.delete(data.keyId);
    }
  },

  decide({ type, data }, keys) {
    switch (type) {
      case 'AddDeployKey': {
        const { isOfUser, at, ...facts } = data;
        if (keys.some(({ fingerprint }) => fingerprint === facts.fingerprint))
          throw invalid('deploy_key.exists', 'Key', 'This key has already been added to this repository');
        if (keys.some(({ title }) => title === facts.title))
          throw invalid('deploy_key.title_taken', 'Title', 'A key with the same name already exists');
        if (isOfUser)
          throw invalid('deploy_key.of_user', 'Key', 'Key content has been used as non-deploy key');
        return [{ type: 'DeployKeyAdded', data: { ...facts, addedAt: at } }];
      }
      case 'RemoveDeployKey':
        if (!keys.has(data.keyId)) throw notFound('deploy_key.absent', 'no such key');
        return [{ type: 'DeployKeyRemoved', data: { keyId: data.keyId, removedAt: data.at } }];
    }
  },
};
