import { listAccess } from '@shop/shared/account/access-endpoints.ts'
import { SIGN_IN_PROVIDER } from '@shop/shared/account/account.ts'
import { type Link, listLinks, removeLink } from '@shop/shared/account/endpoints.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { formatShort } from '@shop/web/dates.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { App, Button, Checkbox, Divider, Form } from 'antd'
import { useState } from 'react'
import { LoadError } from '../ui/load-error.tsx'
import { isSentOn } from '../ui/sent-on.ts'
import { keysEnd } from './keys-end.ts'
import type { PanelProps } from './panel.ts'
import { useClient } from './session.tsx'
import { UntoldNote } from './untold-note.tsx'

export function useLinks(uid: string) {
  return useQuery({ ...useClient().query(listLinks, { params: { uid } }), staleTime: 0 })
}

const nameOf = ({ provider, email }: Link): string =>
  [SIGN_IN_PROVIDER[provider].name, email].filter(Boolean).join(' · ')

const sinceOf = ({ linkedAt }: Link): string =>
  linkedAt ? `เชื่อมเมื่อ ${formatShort(linkedAt)}` : 'เชื่อมไว้ก่อนที่ระบบจะบันทึกเวลา'

export function LinkWords({ link }: { link: Link }) {
  return (
    <>
      <b style={{ overflowWrap: 'anywhere' }}>{nameOf(link)}</b>
      <span className="muted small" style={{ display: 'block' }}>
        {sinceOf(link)}
      </span>
    </>
  )
}

/** Lets staff choose which added ways to sign in remain when a password is reset; none by default. */
export function KeptLinks({ uid }: { uid: string }) {
  const { data: links, error, refetch } = useLinks(uid)
  if (error) return <LoadError error={error} onRetry={refetch} />
  if (!links || links.length === 0) return null
  const options = links.map(link => ({ value: link.provider, label: <LinkWords link={link} /> }))
  return (
    <Form.Item
      name="keep"
      label="วิธีเข้าสู่ระบบที่เชื่อมไว้ จะถูกนำออกทั้งหมด เว้นแต่ที่เลือกเก็บ"
      extra="เลือกเก็บเฉพาะที่เจ้าของบัญชียืนยันว่าเชื่อมเอง คนที่เคยรู้รหัสผ่านอาจเชื่อมของตัวเองไว้ เจ้าของเชื่อมใหม่ภายหลังได้"
    >
      <Checkbox.Group options={options} style={{ flexDirection: 'column', gap: 8, marginBottom: 4 }} />
    </Form.Item>
  )
}

/** Lets people choose which of their own ways to sign in remain with a new password: those that are in no doubt. */
export function OwnKeptLinks() {
  const { data, error, refetch } = useQuery({
    ...useClient().query(listAccess, { params: { secret: 'password' } }),
    staleTime: 0,
  })
  if (error) return <LoadError error={error} onRetry={refetch} />
  if (!data || data.links.length === 0) return null
  const options = data.links.map(({ id, madeAt }) => ({
    value: id,
    label: <LinkWords link={{ provider: id, linkedAt: madeAt, email: null }} />,
  }))
  return (
    <Form.Item
      name="keep"
      label="วิธีเข้าสู่ระบบอื่น ที่ไม่ได้เลือกจะใช้ไม่ได้อีก"
      extra="เลือกเฉพาะที่คุณเชื่อมเองและยังใช้อยู่"
      initialValue={data.links.flatMap(({ id, isDoubtful }) => (isDoubtful ? [] : [id]))}
    >
      <Checkbox.Group options={options} style={{ flexDirection: 'column', gap: 8, marginBottom: 4 }} />
    </Form.Item>
  )
}

/**
 * Lists the added ways to sign in of an account, each with a button to remove it. Staff need LINE's to act in the chat.
 */
export function AccountLinks({ user, onSaved }: Pick<PanelProps, 'user' | 'onSaved'>) {
  const client = useClient()
  const { message, modal } = App.useApp()
  const { data: links, error, refetch } = useLinks(user.uid)
  const [isUntold, setUntold] = useState(false)
  const remove = useMutation({
    mutationFn: ({ provider }: Link) => client.call(removeLink, { params: { uid: user.uid, provider } }),
    onSuccess: async ({ isOwnerTold }) => {
      message.success('นำวิธีเข้าสู่ระบบออกแล้ว')
      setUntold(!isOwnerTold)
      await refetch()
      await onSaved()
    },
    onError: failure => !isSentOn(failure) && message.error({ content: messageOf(failure), duration: 6 }),
  })
  const ask = (link: Link) =>
    modal.confirm({
      title: `นำ ${nameOf(link)} ออกจากบัญชีของ ${user.displayName}?`,
      content: `เข้าสู่ระบบด้วยวิธีนี้ไม่ได้อีก และผู้ใช้จะถูกออกจากระบบทุกเครื่อง เจ้าของบัญชีเชื่อมใหม่ได้${keysEnd(user)}`,
      okText: 'นำออก',
      cancelText: 'ปิด',
      onOk: () => remove.mutate(link),
    })
  if (error) return <LoadError error={error} onRetry={refetch} />
  if (!links || (links.length === 0 && !isUntold)) return null
  return (
    <>
      <Divider />
      <h3 style={{ marginBottom: 8 }}>วิธีเข้าสู่ระบบที่เชื่อมไว้</h3>
      {isUntold && <UntoldNote />}
      {links.map(link => (
        <div key={link.provider} className="row" style={{ marginBottom: 8 }}>
          <div className="grow">
            <LinkWords link={link} />
          </div>
          <Button
            aria-label={`นำออก ${SIGN_IN_PROVIDER[link.provider].name}`}
            loading={remove.isPending && remove.variables.provider === link.provider}
            onClick={() => ask(link)}
          >
            นำออก
          </Button>
        </div>
      ))}
    </>
  )
}
