import type { UseQueryResult } from '@tanstack/react-query'
import { Table, type TableColumnsType } from 'antd'
import type { ReactNode } from 'react'
import { LoadError } from '../ui/load-error.tsx'
import { NothingFound } from '../ui/nothing-found.tsx'

/** A card with a list that needs no pages; `children` are its actions. */
export function ListCard<Row extends object>(props: {
  title: string
  list: UseQueryResult<Row[]>
  rowKey: keyof Row & string
  columns: TableColumnsType<Row>
  width: number
  emptyText: string
  children?: ReactNode
}) {
  const { title, list, rowKey, columns, width, emptyText, children } = props
  return (
    <section className="card list" aria-label={title}>
      <header>
        <h2 className="grow">{title}</h2>
        {children}
      </header>
      {list.isError && !list.data ? (
        <LoadError error={list.error} onRetry={() => list.refetch()} />
      ) : (
        <Table<Row>
          rowKey={rowKey}
          dataSource={list.data}
          columns={columns}
          loading={list.isPending}
          scroll={{ x: width }}
          locale={{ emptyText: list.isPending ? ' ' : <NothingFound text={emptyText} /> }}
          pagination={false}
        />
      )}
    </section>
  )
}
