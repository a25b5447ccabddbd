import { useText } from '../../text.tsx';
import { Tag } from '../../ui/tag.tsx';
import type { CommunityData } from './model.ts';

type Props = { community: Pick<CommunityData, 'owners' | 'moderators'>; id: string };

/** The mark of an owner or a moderator of the community, beside their name; nothing for anybody else. */
export function Standing({ community, id }: Props) {
  const { t } = useText();
  if (community.owners.some((owner) => owner.id === id)) return <Tag look="accent">{t('community.owner')}</Tag>;
  if (community.moderators.includes(id)) return <Tag look="accent">{t('community.moderator')}</Tag>;
  return null;
}
