import { Link } from 'react-router';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { queryOfThread, type ThreadAddress } from './thread-address.ts';

type Props = {
  kind: 'post' | 'poll' | 'reply';
  /** How many replies go with it, or stay without it. */
  replies: number;
  address: ThreadAddress;
  /** Id of the reply to remove. */
  target?: string;
};

/** Asks before something is deleted for good, and says what goes with it. */
export function Removal({ kind, replies, address, target }: Props) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting(`remove-${kind}`);
  return (
    <section
      aria-label={t(`community.remove_${kind}_title`)}
      className="mt-4 rounded border-s-4 border-danger bg-danger-soft p-4"
    >
      <SmartForm intent={`remove-${kind}`}>
        {target ? <input type="hidden" name="target" value={target} /> : null}
        <p className="font-semibold">{t(`community.remove_${kind}_title`)}</p>
        <p>{t(`community.remove_${kind}_text`, { count: replies })}</p>
        <div className="mt-3 flex flex-wrap gap-3">
          <Button look="danger" isBusy={isSubmitting} autoFocus>
            {t(`community.remove_${kind}`)}
          </Button>
          <Link to={queryOfThread(address) + (target ? `#${target}` : '')} preventScrollReset className="btn btn-quiet">
            {t('community.keep')}
          </Link>
        </div>
      </SmartForm>
    </section>
  );
}
