import { listKeys, type ResellerKeyView } from '@shop/shared/reseller/key-endpoints.ts'
import { KEY_END, KEY_MODE, KEY_MODES, type KeyMode, MOST_KEYS } from '@shop/shared/reseller/reseller.ts'
import { formatDateTime } from '@shop/web/dates.ts'
import { useQuery } from '@tanstack/react-query'
import { ChevronDown, KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { api } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { focusOn } from '../ui/focus-on.ts'
import { Note } from '../ui/note.tsx'
import { Empty, Loaded, Skeleton } from '../ui/state.tsx'
import { EndKeyDialog } from './end-key-dialog.tsx'
import { KeyCard } from './key-card.tsx'
import { MakeKeySheet } from './make-key-sheet.tsx'
import { usePlace } from './place.ts'
import { useFreshSheet } from './use-fresh-sheet.ts'

const FULL_NOTE = 'keys-full'

const isWorking = (key: ResellerKeyView): boolean => key.endedAt === null

/** The API keys of a mode: those that work, those that ended, and the way to another one. */
export function KeysSection({ mode }: { mode: KeyMode }) {
  const keys = useQuery({ ...api.query(listKeys), staleTime: 0 })
  const sheet = useFreshSheet()
  const { go } = usePlace()
  const working = keys.data?.keys.filter(isWorking) ?? []
  const full = KEY_MODES.filter(each => working.filter(key => key.mode === each).length >= MOST_KEYS)
  const isFull = full.includes(mode)
  return (
    <section aria-labelledby="api-keys">
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-3">
        <h2 id="api-keys" className="text-section">
          คีย์{KEY_MODE[mode].label}
        </h2>
        <Button
          kind="tint"
          size="small"
          icon={<Plus size={18} />}
          unmet={isFull && `ครบ ${MOST_KEYS} คีย์แล้ว`}
          onUnmet={() => focusOn(FULL_NOTE)}
          onClick={sheet.open}
        >
          สร้างคีย์
        </Button>
      </div>
      <Loaded query={keys} skeleton={<KeysSkeleton />} spaced>
        {data => <Keys keys={data.keys.filter(key => key.mode === mode)} isFull={isFull} />}
      </Loaded>
      <MakeKeySheet
        key={`${mode} ${sheet.round}`}
        mode={mode}
        full={full}
        open={sheet.isOpen}
        onClose={sheet.close}
        onKept={made => {
          sheet.end()
          go({ mode: made })
        }}
      />
    </section>
  )
}

interface KeysProps {
  keys: ResellerKeyView[]
  isFull: boolean
}

function Keys({ keys, isFull }: KeysProps) {
  const [ending, setEnding] = useState<ResellerKeyView | null>(null)
  const working = keys.filter(isWorking)
  const ended = keys.filter(key => !isWorking(key))
  return (
    <>
      {isFull && (
        <div id={FULL_NOTE} tabIndex={-1} className="mt-2 rounded-control outline-none">
          <Note>จะเปลี่ยนคีย์? ยกเลิกคีย์ที่ไม่ใช้ก่อน แล้วสร้างคีย์ใหม่ เปลี่ยนที่เครื่อง พอคีย์เก่าไม่มีการใช้แล้วค่อยยกเลิก</Note>
        </div>
      )}
      {working.length > 0 ? (
        <ul className="mt-3 grid gap-3 lg:grid-cols-2">
          {working.map(key => (
            <KeyCard key={key.id} view={key} onEnd={() => setEnding(key)} />
          ))}
        </ul>
      ) : (
        <Empty icon={KeyRound} title="ยังไม่มีคีย์" text="สร้างคีย์ให้เครื่องของคุณเรียก API" />
      )}
      {ended.length > 0 && <EndedKeys keys={ended} />}
      <EndKeyDialog view={ending} onClose={() => setEnding(null)} />
    </>
  )
}

/** So many ended keys are drawn at first. */
const FEW = 10

function EndedKeys({ keys }: { keys: ResellerKeyView[] }) {
  const [isOpen, setOpen] = useState(false)
  const [isWhole, setWhole] = useState(false)
  const drawn = isWhole ? keys : keys.slice(0, FEW)
  return (
    <div className="mt-2">
      <Button
        kind="quiet"
        size="small"
        className="-ml-3.5"
        aria-expanded={isOpen}
        icon={<ChevronDown size={18} className={isOpen ? 'rotate-180' : undefined} />}
        onClick={() => setOpen(!isOpen)}
      >
        คีย์ที่ยกเลิกแล้ว {keys.length} คีย์
      </Button>
      {isOpen && (
        <ul className="divide-y divide-line">
          {drawn.map(key => (
            <li key={key.id} className="py-2.5">
              <p className="font-semibold">{key.name}</p>
              <p className="wrap-anywhere font-mono text-ink-2 text-note">{key.id}</p>
              <p className="text-ink-2 text-note">
                {key.endedAt && formatDateTime(key.endedAt)}
                {key.endedFor && ` · ${KEY_END[key.endedFor].label}`}
              </p>
            </li>
          ))}
        </ul>
      )}
      {isOpen && drawn.length < keys.length && (
        <Button kind="quiet" size="small" onClick={() => setWhole(true)}>
          ดูอีก {keys.length - drawn.length} คีย์
        </Button>
      )}
    </div>
  )
}

const KeysSkeleton = () => (
  <div className="mt-3 grid gap-3 lg:grid-cols-2">
    <Skeleton className="h-96" />
    <Skeleton className="h-96 max-lg:hidden" />
  </div>
)
