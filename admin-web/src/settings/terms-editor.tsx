import type { Reply } from '@shop/shared/endpoint.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { type getTerms, listTerms, publishTerms } from '@shop/shared/settings/endpoints.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { App, Button, Input } from 'antd'
import { useId } from 'react'
import { useUndoable } from '../audit/use-undoable.tsx'
import { Conflict } from '../ui/conflict.tsx'
import { FailureNote } from '../ui/failure-note.tsx'
import { LeaveGuard } from '../ui/leave-guard.tsx'
import { useCloseGuard } from '../ui/use-close-guard.ts'
import { currentOf, firstOf } from '../ui/use-save.ts'
import { TermsText } from './terms-text.tsx'

const SHORTEST = 20
const LONGEST = 20_000
const PLACEHOLDER = 'หัวข้อ\n- ข้อแรก\n- ข้อที่สอง\n\nเว้นบรรทัดเพื่อขึ้นหัวข้อใหม่'

/** A new version that is being written, and the version that it was begun from. */
export interface TermsDraft {
  fromVersion: string
  fromBody: string
  text: string
}

type Terms = Reply<typeof getTerms>

/** The editor of the next version of the terms, with a preview; it asks before it publishes. */
export function TermsEditor({ draft, onDraft }: { draft: TermsDraft; onDraft: (draft: TermsDraft | null) => void }) {
  const publish = usePublish(() => onDraft(null))
  const theirs = currentOf<Terms>(publish.error)
  const isChanged = draft.text !== draft.fromBody
  const text = draft.text.trim()
  const giveUp = useCloseGuard(isChanged, () => onDraft(null))
  const ask = useAskToPublish()
  const publishFrom = (fromVersion: string) => ask(() => publish.mutate({ body: text, fromVersion }))
  return (
    <section className="card" aria-label="ฉบับใหม่">
      {isChanged && !publish.isPending && <LeaveGuard isActive isWholeAddress question="มีข้อกำหนดฉบับใหม่ที่ยังไม่เผยแพร่" />}
      <header>
        <h2 className="grow">ฉบับใหม่ แก้จากฉบับที่ {draft.fromVersion}</h2>
        <Button disabled={publish.isPending} onClick={giveUp}>
          ยกเลิก
        </Button>
        <Button
          type="primary"
          loading={publish.isPending}
          disabled={!isChanged || text.length < SHORTEST}
          onClick={() => publishFrom(draft.fromVersion)}
        >
          เผยแพร่ฉบับใหม่
        </Button>
      </header>
      <div className="card-part">
        {theirs ? (
          <Conflict
            by={firstOf(publish.error)}
            differences={[{ label: `ฉบับที่ ${theirs.version}`, theirs: theirs.body, mine: draft.text }]}
            isSaving={publish.isPending}
            onTakeTheirs={() => {
              publish.reset()
              onDraft({ fromVersion: theirs.version, fromBody: theirs.body, text: theirs.body })
            }}
            onKeepMine={() => publishFrom(theirs.version)}
          />
        ) : (
          <FailureNote title={publish.error && 'บันทึกข้อมูลไม่สำเร็จ!'} text={messageOf(publish.error)} />
        )}
        <TermsField
          text={draft.text}
          isDisabled={publish.isPending}
          onChange={typed => onDraft({ ...draft, text: typed })}
        />
        <p className="note muted" role="status">
          {text.length < SHORTEST
            ? `กรุณากรอกข้อกำหนดอย่างน้อย ${SHORTEST} ตัวอักษร`
            : isChanged
              ? `${text.length.toLocaleString('en-US')} จาก ${LONGEST.toLocaleString('en-US')} ตัวอักษร`
              : 'ยังเหมือนฉบับเดิม แก้ข้อความก่อนเผยแพร่'}
        </p>
      </div>
    </section>
  )
}

/** The field for the text, with a preview beside it. */
function TermsField(props: { text: string; isDisabled: boolean; onChange: (text: string) => void }) {
  const { text, isDisabled, onChange } = props
  const id = useId()
  return (
    <div className="terms-draft">
      <div>
        <label htmlFor={id} className="strong">
          ข้อความ
        </label>
        <Input.TextArea
          id={id}
          autoFocus
          rows={18}
          placeholder={PLACEHOLDER}
          maxLength={LONGEST}
          disabled={isDisabled}
          value={text}
          onChange={event => onChange(event.target.value)}
        />
      </div>
      <div>
        <h3 className="strong">ตัวอย่างที่ลูกค้าเห็น</h3>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which keys must be able to do too */}
        <section className="terms-preview" aria-label="ตัวอย่างที่ลูกค้าเห็น" tabIndex={0}>
          <TermsText body={text} />
        </section>
      </div>
    </div>
  )
}

function usePublish(onPublished: () => void) {
  const queries = useQueryClient()
  const { save, tellSaved } = useUndoable()
  return useMutation({
    mutationFn: (body: { body: string; fromVersion: string }) => save(publishTerms, { body }),
    onSuccess: ({ version }) => {
      tellSaved(`เผยแพร่ข้อกำหนดฉบับที่ ${version} สำเร็จ`)
      onPublished()
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [listTerms.path] }),
  })
}

function useAskToPublish() {
  const { modal } = App.useApp()
  return (onOk: () => void) =>
    modal.confirm({
      title: 'เผยแพร่ข้อกำหนดฉบับใหม่?',
      content: 'ผู้ซื้อทุกคนต้องยอมรับฉบับใหม่ก่อนสั่งซื้อครั้งถัดไป คำสั่งซื้อที่ทำไว้แล้วยังใช้ฉบับเดิม',
      okText: 'เผยแพร่',
      cancelText: 'ยังไม่เผยแพร่',
      focusable: { autoFocusButton: 'cancel' },
      onOk,
    })
}
