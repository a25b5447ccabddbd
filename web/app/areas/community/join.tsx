import { Check, ChevronDown } from 'lucide-react';
import { Form, Link, useLocation } from 'react-router';
import { useText } from '../../text.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import type { CommunityData } from './model.ts';

type Props = {
  community: Pick<CommunityData, 'slug' | 'title' | 'privacy' | 'membership'> &
    Partial<Pick<CommunityData, 'permissions'>> & { canJoin: boolean };
  isSignedIn: boolean;
  small?: boolean;
};

/** The viewer's membership of a community, with the buttons to join or leave. */
export function Join({ community, isSignedIn, small }: Props) {
  const { t } = useText();
  const { pathname, search } = useLocation();
  const { slug, title, privacy, membership, canJoin } = community;
  const here = pathname + search;
  if (membership?.status === 'active')
    return (
      <MemberMenu
        {...{ slug, title, privacy }}
        isOwner={membership.role === 'owner'}
        isModerator={community.permissions?.canModerate ?? false}
      />
    );
  if (membership?.status === 'pending')
    return (
      <Form
        method="post"
        action={`/communities/${slug}/membership`}
        className="flex flex-wrap items-center gap-x-4 gap-y-2"
      >
        <p className="text-sm text-muted">{t('community.waiting')}</p>
        <input type="hidden" name="next" value={here} />
        <Button look="secondary" small name="intent" value="leave">
          {t('community.withdraw')}
        </Button>
      </Form>
    );
  if (canJoin)
    return (
      <Form method="post" action={`/communities/${slug}/membership`}>
        <input type="hidden" name="next" value={here} />
        <Button small={small} look={small ? 'secondary' : 'primary'} name="intent" value="join">
          {t(
            privacy.startsWith('closed') && membership?.status !== 'invited'
              ? 'community.ask_to_join'
              : 'community.join',
            { title },
          )}
        </Button>
      </Form>
    );
  if (!isSignedIn)
    return (
      <LinkButton to={`/login?next=${encodeURIComponent(here)}`} small={small} look={small ? 'secondary' : 'primary'}>
        {t('community.sign_in_to_join')}
      </LinkButton>
    );
  return <p className="text-sm text-muted">{t('community.cannot_join')}</p>;
}

type MenuProps = { slug: string; title: string; privacy: string; isOwner: boolean; isModerator: boolean };

function MemberMenu({ slug, title, privacy, isOwner, isModerator }: MenuProps) {
  const { t } = useText();
  return (
    <Menu
      label={
        <>
          <Icon as={Check} size={18} />
          {t(isOwner ? 'community.you_own' : 'community.you_belong')}
          <Icon as={ChevronDown} size={16} />
        </>
      }
      summaryClassName="border-edge! bg-card"
      align="start"
      panelClassName="w-72 sm:start-auto sm:end-0"
    >
      {isModerator ? (
        <ul className="mb-2 border-b border-line pb-2">
          {(['members', 'reports'] as const).map((page) => (
            <li key={page}>
              <Link to={`/communities/${slug}/${page}`} className="menu-item">
                {t(page === 'members' ? 'thread.requests_see' : 'thread.reports')}
              </Link>
            </li>
          ))}
        </ul>
      ) : null}
      <Form method="post" action={`/communities/${slug}/membership`} className="grid gap-3 p-2">
        <p className="text-sm text-muted">
          {t(privacy.startsWith('closed') ? 'community.leave_closed' : 'community.leave_open')}
        </p>
        <Button look="danger" small name="intent" value="leave">
          {t('community.leave', { title })}
        </Button>
      </Form>
    </Menu>
  );
}
