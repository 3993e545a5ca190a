import { getPinState, type PinState, resetPin } from '@shop/shared/account/pin-endpoints.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { wholeMinute } from '@shop/shared/time.ts'
import { formatShort } from '@shop/web/dates.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Modal } from 'antd'
import { CopyButton } from '../ui/copy-button.tsx'
import { isSentOn } from '../ui/sent-on.ts'
import type { PanelProps } from './panel.ts'
import { useClient } from './session.tsx'
import { UntoldNote } from './untold-note.tsx'

function titleOf({ lock }: PinState): string {
  if (!lock) return 'PIN ใช้งานได้'
  if (!lock.isHolding) return 'PIN ใช้งานได้ เคยถูกล็อกใน 7 วันที่ผ่านมา'
  if (lock.until === null) return 'PIN ถูกล็อก ต้องตั้ง PIN ใหม่ให้'
  return `PIN ถูกล็อกถึง ${formatShort(wholeMinute(new Date(lock.until)))}`
}

/** Shows whether the PIN can be used, and how often it was typed wrong. */
function PinStanding({ uid }: { uid: string }) {
  const client = useClient()
  const { data: pin } = useQuery({ ...client.query(getPinState, { params: { uid } }), staleTime: 0 })
  if (!pin) return null
  const facts = [
    `กรอกผิดวันนี้ ${pin.wrongToday} ครั้ง`,
    ...(pin.wrongTries > 0 ? [`ติดกัน ${pin.wrongTries} ครั้ง`] : []),
    ...(pin.lock ? [`ล็อกล่าสุด ${formatShort(pin.lock.at)}`] : []),
  ]
  return (
    <Alert
      type={pin.lock?.isHolding ? 'warning' : 'info'}
      showIcon
      title={titleOf(pin)}
      description={facts.join(' · ')}
      className="form-alert"
    />
  )
}

/** Shows the state of a wallet's PIN, and lets staff give a new one. */
export function PinReset(props: {
  user: Pick<PanelProps['user'], 'uid' | 'displayName'>
  onSaved: PanelProps['onSaved']
}) {
  const { user, onSaved } = props
  const client = useClient()
  const queries = useQueryClient()
  const { message, modal } = App.useApp()
  const reset = useMutation({
    mutationFn: () => client.call(resetPin, { params: { uid: user.uid } }),
    gcTime: 0,
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [getPinState.path] })
      await onSaved()
    },
    onError: error => !isSentOn(error) && message.error({ content: messageOf(error), duration: 6 }),
  })
  const ask = () =>
    modal.confirm({
      title: `ตั้ง PIN ใหม่ให้ ${user.displayName}?`,
      content: 'PIN เดิมใช้ไม่ได้อีก ผู้ใช้ต้องเปลี่ยน PIN ก่อนใช้งานครั้งถัดไป ถ้าเป็นตัวแทน คีย์ API และปลายทางแจ้งเหตุการณ์ทั้งหมดถูกยกเลิก',
      okText: 'ตั้ง PIN ใหม่',
      cancelText: 'ปิด',
      onOk: () => reset.mutate(),
    })
  return (
    <>
      <PinStanding uid={user.uid} />
      <Button loading={reset.isPending} onClick={ask}>
        ตั้ง PIN ใหม่
      </Button>
      <Modal
        open={reset.data !== undefined}
        title={`PIN ชั่วคราวของ ${user.displayName}`}
        mask={{ closable: false }}
        onCancel={() => reset.reset()}
        footer={
          <Button type="primary" onClick={() => reset.reset()}>
            จดแล้ว ปิด
          </Button>
        }
      >
        <div className="row">
          <span className="player-id number grow">{reset.data?.pin}</span>
          {reset.data && <CopyButton text={reset.data.pin} what="PIN" />}
        </div>
        <p className="muted">แสดงครั้งเดียว เมื่อปิดแล้วจะดูอีกไม่ได้</p>
        {reset.data?.isOwnerTold === false && <UntoldNote />}
      </Modal>
    </>
  )
}
