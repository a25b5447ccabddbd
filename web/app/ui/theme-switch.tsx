import { Monitor, Moon, Sun } from 'lucide-react';
import { useFetcher, useLocation, useRouteLoaderData } from 'react-router';
import type { RootData } from '../root-data.ts';
import { useText } from '../text.tsx';
import { Icon } from './icon.tsx';

const THEMES = [
  { theme: 'auto', icon: Monitor, label: 'common.theme_auto' },
  { theme: 'light', icon: Sun, label: 'common.theme_light' },
  { theme: 'dark', icon: Moon, label: 'common.theme_dark' },
] as const;

/** Switches between light, dark and the device's theme; stored in a cookie. */
export function ThemeSwitch() {
  const { t } = useText();
  const { pathname, search } = useLocation();
  const fetcher = useFetcher();
  const present = useRouteLoaderData<RootData>('root')?.theme ?? 'auto';
  return (
    <fetcher.Form method="post" action="/theme">
      <fieldset className="flex flex-wrap items-center gap-1">
        <legend className="float-start me-2 py-2 font-semibold">{t('common.theme')}</legend>
        <input type="hidden" name="next" value={pathname + search} />
        {THEMES.map(({ theme, icon, label }) => (
          <button
            key={theme}
            name="theme"
            value={theme}
            aria-pressed={theme === present}
            className={`btn btn-small border ${theme === present ? 'border-current font-semibold' : 'border-transparent font-normal hover:border-current'}`}
          >
            <Icon as={icon} size={16} />
            {t(label)}
          </button>
        ))}
      </fieldset>
    </fetcher.Form>
  );
}
