import type { ContentImport } from '@officium/contract/content-folder';
import { useText } from '../../text.tsx';
import { Tag } from '../../ui/tag.tsx';

type State = ContentImport['state'];

const LOOKS = {
  checking: 'plain',
  checked: 'accent',
  refused: 'danger',
  importing: 'plain',
  done: 'success',
  failed: 'danger',
  expired: 'plain',
} as const satisfies Record<State, Parameters<typeof Tag>[0]['look']>;

/** The state of an import as a label. */
export function ImportState({ state }: { state: State }) {
  const { t } = useText();
  return <Tag look={LOOKS[state]}>{t(`admin.folder_state_${state}`)}</Tag>;
}

export const isUnderWay = (state: State) => state === 'checking' || state === 'importing';
