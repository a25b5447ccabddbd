import { useText } from '../../text.tsx';
import { Tag } from '../../ui/tag.tsx';
import type { CommunityData } from './model.ts';

type Props = { community: Pick<CommunityData, 'owners' | 'moderators'>; id: string };

/** The role of a user in a community beyond member. */
export function roleIn({ owners, moderators }: Props['community'], id: string): 'owner' | 'moderator' | null {
  if (owners.some((owner) => owner.id === id)) return 'owner';
  return moderators.includes(id) ? 'moderator' : null;
}

/** The owner or moderator tag beside a name; renders nothing for others. */
export function RoleTag({ community, id }: Props) {
  const { t } = useText();
  const standing = roleIn(community, id);
  return standing && <Tag look="accent">{t(`community.${standing}`)}</Tag>;
}
