import type { Me } from '@shop/shared/account/endpoints.ts'
import { AppError, messageOf } from '@shop/shared/errors.ts'
import {
  askErasure,
  downloadOwnData,
  getOwnErasure,
  type OwnErasure,
  withdrawErasure,
} from '@shop/shared/privacy/endpoints.ts'
import { ERASURE_BARRIER } from '@shop/shared/privacy/erasure.ts'
import { formatDateTime } from '@shop/web/dates.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { api } from '../api.ts'
import { inApp } from '../in-app.ts'
import { useKeepFile } from '../keep-file.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Note } from '../ui/note.tsx'
import { Problem } from '../ui/problem.tsx'
import { Loaded, Skeleton } from '../ui/state.tsx'
import { useToast } from '../ui/toast.tsx'
import { OpenInBrowser } from './open-in-browser.tsx'
import { ProveSheet } from './prove-sheet.tsx'

const NAME = 'my-data'
/** A share sheet takes no JSON. */
const SHARED = { name: `${NAME}.txt`, type: 'text/plain' }

function DownloadData({ path }: { path: string }) {
  const toast = useToast()
  const keepFile = useKeepFile()
  const download = useMutation({
    mutationFn: async () => keepFile(await api.call(downloadOwnData, {}), `${NAME}.json`, SHARED),
    onSuccess: () => toast({ text: 'สร้างไฟล์ข้อมูลของคุณแล้ว' }),
  })
  const problem = download.error && messageOf(download.error)
  return (
    <section aria-labelledby="data-download">
      <h3 id="data-download" className="text-section">
        ดาวน์โหลดข้อมูลของฉัน
      </h3>
      <p className="mt-1 mb-3 text-ink-2 text-small">
        ไฟล์เดียวที่มีบัญชี คำสั่งซื้อ การชำระเงิน กระเป๋าเงิน และข้อความที่ร้านส่งถึงคุณ รูปสลิปดูได้ในหน้าคำสั่งซื้อ
      </p>
      <Problem className="mb-3">{problem}</Problem>
      <Button
        kind="secondary"
        block
        icon={<Download size={20} />}
        busy={download.isPending}
        busyLabel="กำลังรวบรวมข้อมูล"
        onClick={() => !download.isPending && download.mutate()}
      >
        ดาวน์โหลดข้อมูล
      </Button>
      {inApp && (
        <OpenInBrowser path={path}>{`ถ้าบันทึกไฟล์ใน${inApp} ไม่ได้ ให้เปิดร้านในเบราว์เซอร์ แล้วเข้าสู่ระบบอีกครั้ง`}</OpenInBrowser>
      )}
    </section>
  )
}

const needsProof = (error: unknown) => error instanceof AppError && error.code === 'RECENT_SIGN_IN_REQUIRED'

/** Asks for the erasure or takes it back; asking waits for a fresh proof of identity. */
function useErasure() {
  const queries = useQueryClient()
  const toast = useToast()
  const [step, setStep] = useState<'none' | 'confirm' | 'prove'>('none')
  const keep = (own: OwnErasure) => queries.setQueryData(api.query(getOwnErasure).queryKey, own)
  const ask = useMutation({
    mutationFn: () => api.call(askErasure, {}),
    onSuccess: own => {
      keep(own)
      setStep('none')
      toast({ text: 'ส่งคำขอลบบัญชีแล้ว' })
    },
    onError: error => needsProof(error) && setStep('prove'),
  })
  const withdraw = useMutation({
    mutationFn: () => api.call(withdrawErasure, {}),
    onSuccess: own => {
      keep(own)
      toast({ text: 'ยกเลิกคำขอลบบัญชีแล้ว' })
    },
  })
  return { ask, withdraw, step, setStep }
}

function EraseAccount({ me, path }: { me: Me; path: string }) {
  const own = useQuery({ ...api.query(getOwnErasure), staleTime: 0 })
  const { ask, withdraw, step, setStep } = useErasure()
  return (
    <section aria-labelledby="data-erase" className="mt-8">
      <h3 id="data-erase" className="text-section">
        ลบบัญชีและข้อมูล
      </h3>
      <p className="mt-1 mb-3 text-ink-2 text-small">
        ชื่อ เบอร์โทร อีเมล LINE สลิป ข้อความ และรหัสผู้เล่นจะถูกลบ รวมถึงที่สั่งซื้อในเครื่องนี้โดยไม่เข้าสู่ระบบ ยอดเงินในบัญชีของร้านยังอยู่ตามกฎหมาย
        แต่ไม่บอกว่าเป็นของใคร{' '}
        <Link to="/privacy" className="link flex min-h-11 w-fit items-center">
          อ่านนโยบายความเป็นส่วนตัว
        </Link>
      </p>
      <Loaded query={own} skeleton={<Skeleton className="h-24" />}>
        {({ request, barriers }) =>
          request ? (
            <>
              <Note kind="warn" role="status">
                {`ขอลบไว้เมื่อ ${formatDateTime(request.askedAt)} รอทีมงานสองคนอนุมัติ ภายใน 30 วัน`}
              </Note>
              <Problem className="mt-3">{withdraw.error && messageOf(withdraw.error)}</Problem>
              <Button
                className="mt-3"
                kind="secondary"
                block
                busy={withdraw.isPending}
                busyLabel="กรุณารอสักครู่"
                onClick={() => !withdraw.isPending && withdraw.mutate()}
              >
                ยกเลิกคำขอลบบัญชี
              </Button>
            </>
          ) : barriers.length > 0 ? (
            <Note kind="warn" role="status">
              <b className="font-semibold">ยังขอลบไม่ได้</b>
              <ul className="list-disc pl-5">
                {barriers.map(barrier => (
                  <li key={barrier}>{ERASURE_BARRIER[barrier]}</li>
                ))}
              </ul>
            </Note>
          ) : (
            <Button kind="destructive" block onClick={() => setStep('confirm')}>
              ขอลบบัญชีและข้อมูล
            </Button>
          )
        }
      </Loaded>
      <ConfirmDialog
        open={step === 'confirm'}
        title="ขอลบบัญชีและข้อมูล?"
        text="เมื่อร้านอนุมัติแล้วเอากลับมาไม่ได้ ยกเลิกคำขอได้จนกว่าร้านจะอนุมัติ ถ้าต้องการสำเนา ให้ดาวน์โหลดข้อมูลก่อน"
        confirmLabel="ส่งคำขอลบ"
        busy={ask.isPending}
        error={needsProof(ask.error) ? null : ask.error}
        failure="ส่งคำขอไม่สำเร็จ กรุณาลองอีกครั้ง"
        onConfirm={() => !ask.isPending && ask.mutate()}
        onClose={() => setStep('none')}
      />
      <ProveSheet
        me={me}
        open={step === 'prove'}
        path={path}
        onClose={() => setStep('none')}
        onProven={() => {
          setStep('confirm')
          ask.mutate()
        }}
      />
    </section>
  )
}

/** Hands a person everything that the shop keeps of them, and takes their wish to be forgotten. */
export default function DataPanel({ me }: { me: Me }) {
  const path = `/user/${me.uid}?panel=data`
  return (
    <>
      <DownloadData path={path} />
      <EraseAccount me={me} path={path} />
    </>
  )
}
