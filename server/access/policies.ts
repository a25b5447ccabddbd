import type { Auth } from '@officium/contract/endpoint';
import type { Capability } from '@officium/contract/capabilities';
import { AppError } from '../errors.ts';
import { mayAnywhere } from './roles.ts';
import { isActive, isAdministrator, type Viewer } from './viewer.ts';

/**
 * Admits viewers to an operation; the policy of the area decides about single objects. Every operation names one of
 * these or the application does not start.
 */
export type Policy = {
  name: string;
  serves: readonly Auth[];
  /** The capability of roles that also admits; the contract names the same. */
  capability?: Capability;
  check(viewer: Viewer): void;
};

function requireAccount(viewer: Viewer): void {
  if (viewer.kind === 'anonymous') throw new AppError('auth.required');
  if (viewer.kind === 'service') throw new AppError('auth.forbidden');
}

export const everyone: Policy = { name: 'everyone', serves: ['none'], check() {} };

/** An account with a proven address. Inactive accounts are included: they may export their data and leave. */
export const provenAccounts: Policy = {
  name: 'provenAccounts',
  serves: ['user'],
  check(viewer) {
    requireAccount(viewer);
    if (viewer.kind === 'user' && viewer.limited) throw new AppError('auth.not_proven');
  },
};

/** An active account with a proven address. */
export const people: Policy = {
  name: 'people',
  serves: ['user'],
  check(viewer) {
    provenAccounts.check(viewer);
    if (!isActive(viewer)) throw new AppError('auth.inactive');
  },
};

/** An active account, or a service where the contract allows one for an operation for people. */
export const peopleAndServices: Policy = {
  name: 'peopleAndServices',
  serves: ['user'],
  check(viewer) {
    if (viewer.kind !== 'service') people.check(viewer);
  },
};

/** Any session, including those of unproven and inactive accounts, to prove the address or sign out. */
export const anyAccount: Policy = { name: 'anyAccount', serves: ['user'], check: requireAccount };

export const administrators: Policy = {
  name: 'administrators',
  serves: ['admin'],
  check(viewer) {
    people.check(viewer);
    if (!isAdministrator(viewer)) throw new AppError('auth.forbidden');
  },
};

/** Administrators, and holders of a role with the capability in some place; the service asks for the place. */
export function holdersOf(capability: Capability): Policy & { capability: Capability } {
  return {
    name: `holdersOf ${capability}`,
    serves: ['admin'],
    capability,
    check(viewer) {
      people.check(viewer);
      if (!mayAnywhere(viewer, capability)) throw new AppError('auth.forbidden');
    },
  };
}

export const servicesAndAdministrators: Policy = {
  name: 'servicesAndAdministrators',
  serves: ['service'],
  check(viewer) {
    if (viewer.kind !== 'service') administrators.check(viewer);
  },
};

/** A service key; not even an administrator. */
export const servicesOnly: Policy = {
  name: 'servicesOnly',
  serves: ['service'],
  check(viewer) {
    if (viewer.kind === 'anonymous') throw new AppError('auth.required');
    if (viewer.kind !== 'service') throw new AppError('auth.forbidden');
  },
};

/** The content platform: its key was compared before the body was read. */
export const contentPlatform: Policy = { name: 'contentPlatform', serves: ['webhook'], check() {} };
