import type { findPeople } from '@officium/contract/admin-people';
import type { ReplyOf } from '@officium/contract/endpoint';
import { useText } from '../../text.tsx';
import { Tag } from '../../ui/tag.tsx';

type Person = ReplyOf<typeof findPeople>['people'][number];

/** A role as part of a message key. */
export function keyOf(role: Person['role']) {
  return role.replaceAll('-', '_') as 'administrator' | 'public_servant' | 'non_public_servant' | 'inactive'; // the four roles
}

export function State({ state }: { state: Person['state'] }) {
  const { t } = useText();
  const look = state === 'waiting' ? 'here' : state === 'active' ? 'plain' : 'danger';
  return <Tag look={look}>{t(`admin.people_state_${state}`)}</Tag>;
}
