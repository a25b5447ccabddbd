import { Bell, BellOff, BellRing, type LucideIcon } from 'lucide-react';
import { Form } from 'react-router';
import type { Follow, FollowLevel } from '@officium/contract/follows';
import { useText } from '../text.tsx';
import { Icon } from './icon.tsx';
import { levelKey } from './follow-level.ts';
import { Menu } from './menu.tsx';

const ICONS: Record<FollowLevel, LucideIcon> = { watching: BellRing, normal: Bell, muted: BellOff };

// Copied: importing the contract's list would bring its validation into the browser.
const LEVELS = Object.keys(ICONS) as FollowLevel[]; // the keys are FollowLevel by construction

/** Chooses what the viewer is notified of in a community or thread. The settings page answers the form. */
export function FollowMenu({ follow: { kind, id, level } }: { follow: Follow }) {
  const { t } = useText();
  return (
    <Menu
      label={
        <>
          <Icon as={ICONS[level]} />
          <span className="sr-only">{t('notification.title')}: </span>
          {t(levelKey(kind, level))}
        </>
      }
      align="start"
      summaryClassName="px-2"
    >
      <Form method="post" action="/me/settings/following" preventScrollReset>
        <input type="hidden" name="kind" value={kind} />
        <input type="hidden" name="id" value={id} />
        <input type="hidden" name="intent" value="menu" />
        <ul className="w-80 max-w-full">
          {LEVELS.map((one) => (
            <li key={one}>
              <button name="level" value={one} aria-pressed={one === level} className="menu-item">
                <Icon as={ICONS[one]} />
                <span className="min-w-0">
                  <span className={one === level ? 'block font-bold' : 'block font-semibold'}>
                    {t(levelKey(kind, one))}
                  </span>
                  {kind === 'topic' ? null : (
                    <span className="block text-sm text-muted">{t(`follow.${kind}_${one}`)}</span>
                  )}
                </span>
              </button>
            </li>
          ))}
        </ul>
      </Form>
    </Menu>
  );
}
