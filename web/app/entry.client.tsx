import { startTransition, StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { DEFAULT_LOCALE, isLocale } from '@officium/i18n/locales';
import { TextProvider } from './text.tsx';
import { tellTimeZone } from './time-zone.ts';
import { loadMessages } from './messages.ts';

const { lang, dataset } = document.documentElement;
const locale = isLocale(lang) ? lang : DEFAULT_LOCALE;
const messages = await loadMessages(locale);

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <TextProvider locale={locale} messages={messages} timeZone={dataset.timeZone ?? 'UTC'}>
        <HydratedRouter />
      </TextProvider>
    </StrictMode>,
  );
});

tellTimeZone();
