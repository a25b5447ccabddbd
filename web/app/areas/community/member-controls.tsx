import { Ellipsis } from 'lucide-react';
import { Form } from 'react-router';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import type { Member } from './model.ts';

/** Actions on a member, for moderators and, with `canAppoint`, owners. */
export function MemberControls({ member, canAppoint }: { member: Member; canAppoint: boolean }) {
  const { t } = useText();
  const isOwner = member.role === 'owner';
  const isModerator = member.level === 'full-control';
  if ((isModerator || isOwner) && !canAppoint) return null;
  return (
    <Menu
      name={t('community.member_more', { name: member.name })}
      label={<Icon as={Ellipsis} />}
      summaryClassName="px-2 text-muted"
      panelClassName="w-72"
    >
      <Form method="post" className="grid gap-1">
        <input type="hidden" name="user" value={member.id} />
        <input type="hidden" name="name" value={member.name} />
        {canAppoint && !isOwner ? (
          <>
            <button name="intent" value={isModerator ? 'dismiss' : 'appoint'} className="menu-item">
              {t(isModerator ? 'community.dismiss' : 'community.appoint')}
            </button>
            <button name="intent" value="make-owner" className="menu-item">
              {t('thread.make_owner')}
            </button>
          </>
        ) : null}
        {canAppoint && isOwner ? (
          <button name="intent" value="unmake-owner" className="menu-item">
            {t('thread.unmake_owner')}
          </button>
        ) : null}
        <div className="grid gap-2 border-t border-line p-3 first:border-0">
          <p className="text-sm text-muted">{t('community.remove_member_text', { name: member.name })}</p>
          <Button look="danger" small name="intent" value="remove">
            {t('community.remove_member')}
          </Button>
        </div>
      </Form>
    </Menu>
  );
}
