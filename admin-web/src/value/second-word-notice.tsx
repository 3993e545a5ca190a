import { getBacklog } from '@shop/shared/backlog/endpoints.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { listSecondWords } from '@shop/shared/value/endpoints.ts'
import { useQueryClient } from '@tanstack/react-query'
import { App } from 'antd'
import { useEffect } from 'react'
import { useNavigate } from 'react-router-dom'
import { isSentOn } from '../ui/sent-on.ts'

/** Tells people on any page that their request was not refused, but now waits for a second person. */
export function SecondWordNotice() {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { modal } = App.useApp()
  useEffect(
    () =>
      queries.getMutationCache().subscribe(event => {
        if (event.type !== 'updated' || event.action.type !== 'error' || !isSentOn(event.action.error)) return
        for (const { path } of [listSecondWords, getBacklog]) void queries.invalidateQueries({ queryKey: [path] })
        modal.confirm({
          icon: null,
          title: 'ส่งให้คนที่สองยืนยันแล้ว',
          content: `${messageOf(event.action.error)} ยังไม่มีอะไรเปลี่ยน จนกว่าจะมีคนยืนยัน`,
          okText: 'ดูรายการที่รอ',
          cancelText: 'ปิด',
          focusable: { autoFocusButton: 'cancel' },
          onOk: () => void navigate('/management/secondword'),
        })
      }),
    [queries, navigate, modal],
  )
  return null
}
