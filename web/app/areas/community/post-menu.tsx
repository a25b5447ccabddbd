import { Ellipsis } from 'lucide-react';
import { Form, Link } from 'react-router';
import { useText } from '../../text.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import type { PostData } from './model.ts';
import { queryOfThread, type ThreadAddress } from './thread-address.ts';

type Props = {
  post: PostData;
  community: string;
  address: ThreadAddress;
};

/** Actions on a post for its author, its viewers and moderators. */
export function PostMenu({ post, community, address }: Props) {
  const { t } = useText();
  const { can } = post;
  if (!(can.moderate || can.edit || can.report || can.delete)) return null;
  return (
    <Menu name={t('community.more')} label={<Icon as={Ellipsis} />} align="start" summaryClassName="px-2 text-muted">
      <ul>
        {can.moderate ? (
          <li>
            <Form method="post" action={`/communities/${community}/react`}>
              <input type="hidden" name="activity" value={post.id} />
              <button name={post.isPinned ? 'unpin' : 'pin'} value={post.ownPin ?? ''} className="menu-item">
                {t(post.isPinned ? 'community.unpin' : 'community.pin')}
              </button>
            </Form>
          </li>
        ) : null}
        {can.edit ? (
          <li>
            <Link to={queryOfThread(address, { edit: post.id })} preventScrollReset className="menu-item">
              {t('common.edit')}
            </Link>
          </li>
        ) : null}
        {can.report ? (
          <li>
            <Link to={queryOfThread(address, { report: post.id })} preventScrollReset className="menu-item">
              {t('thread.report')}
            </Link>
          </li>
        ) : null}
        {can.delete ? (
          <li>
            <Link to={queryOfThread(address, { remove: post.id })} preventScrollReset className="menu-item text-danger">
              {t('common.delete')}
            </Link>
          </li>
        ) : null}
      </ul>
    </Menu>
  );
}
