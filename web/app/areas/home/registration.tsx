import { useText } from '../../text.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { OwnRegistration } from './today.ts';

/** Explains a pending or refused registration to the viewer. Notifications of a refusal lead here. */
export function Registration({ isRefused, reason }: OwnRegistration) {
  const { t, rich } = useText();
  return (
    <section id="registration" aria-labelledby="registration-title" className="mt-7 max-w-prose">
      <Notice
        title={
          <span id="registration-title">
            {t(isRefused ? 'home.registration_refused_title' : 'home.registration_waiting_title')}
          </span>
        }
      >
        {reason ? <p>{rich('home.registration_reason', { reason: <bdi>{reason}</bdi> })}</p> : null}
        <p>{t(isRefused ? 'home.registration_refused_text' : 'home.registration_waiting_text')}</p>
      </Notice>
    </section>
  );
}
