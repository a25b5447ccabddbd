import { useText } from '../../text.tsx';
import { Tag } from '../../ui/tag.tsx';
import type { CommunityData } from './model.ts';

type Props = { community: Pick<CommunityData, 'owners' | 'moderators'>; id: string };

/** What somebody is to a community beyond a member. */
export function standingOf({ owners, moderators }: Props['community'], id: string): 'owner' | 'moderator' | null {
  if (owners.some((owner) => owner.id === id)) return 'owner';
  return moderators.includes(id) ? 'moderator' : null;
}

/** The mark of an owner or a moderator of the community, beside their name; nothing for anybody else. */
export function Standing({ community, id }: Props) {
  const { t } = useText();
  const standing = standingOf(community, id);
  return standing && <Tag look="accent">{t(`community.${standing}`)}</Tag>;
}
