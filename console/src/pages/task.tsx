import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Reply } from '../api/call.ts'
import { useChange, useRead } from '../api/hooks.ts'
import { useMay } from '../api/session.ts'
import { timelineOf } from '../format/lanes.ts'
import { amountOf } from '../parts/amount.ts'
import { Customer } from '../parts/customers.tsx'
import { Confirm } from '../parts/dialog.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { PageHead } from '../parts/frame.tsx'
import { useId } from '../parts/navigate.ts'
import { Failure, Show } from '../parts/states.tsx'
import { Timeline, TimelineKey } from '../parts/timeline.tsx'
import { Chip, Copy, Id, Time, Usd } from '../parts/values.tsx'
import { frameWords } from '../words/frame.ts'
import { videoWords } from '../words/video.ts'
import { useWords } from '../words/words.ts'
import { TaskPlayer } from './task-screen.tsx'

type Task = Reply<'GET /tasks/{id}'>

const REFRESH_MS = 3_000

export function Page() {
  const id = useId()
  const [isOpen, setOpen] = useState(true)
  const task = useRead('GET /tasks/{id}', { id }, { ...(isOpen && { everyMs: REFRESH_MS }) })
  const isFinal =
    task.data !== undefined && task.data.completed_at !== null && task.data.callback !== 'pending'
  if (isFinal === isOpen) setOpen(!isFinal)
  return <Show of={task}>{(found) => <TaskPage key={id} task={found} />}</Show>
}

function TaskPage({ task }: { task: Task }) {
  const t = useWords(videoWords)
  const frame = useWords(frameWords)
  const resume = useChange('POST /tasks/{id}/resume')
  return (
    <>
      <PageHead
        title={task.model}
        crumb={
          <>
            <Link to="/video" search={{}}>
              {frame('video')}
            </Link>{' '}
            <Copy text={task.id} />
          </>
        }
      >
        <Actions task={task} onResume={() => resume.mutate({ id: task.id })} />
      </PageHead>
      {resume.error !== null && <Failure error={resume.error} />}
      {task.error !== null && (
        <p className="notice bad">
          <span>
            <b>{task.error.code}</b> {task.error.message}
          </span>
        </p>
      )}
      <div className="grid">
        <section className="card">
          <TaskPlayer key={task.status} task={task} />
        </section>
        <Receipt task={task} />
      </div>
      <section className="card">
        <header>
          <h2>{t('timeline')}</h2>
          <TimelineKey />
        </header>
        <Timeline timeline={timelineOf(task, Date.now())} />
      </section>
    </>
  )
}

function Receipt({ task }: { task: Task }) {
  const t = useWords(videoWords)
  const frame = useWords(frameWords)
  const file = task.files.find(({ kind }) => kind === 'video')
  const loss = task.entries.reduce((sum, { loss_micros }) => sum + loss_micros, 0)
  return (
    <section className="card">
      <header>
        <h2>{t('receipt')}</h2>
        <Chip state={task.status} />
      </header>
      <dl className="facts pad">
        <dt>{frame('organization')}</dt>
        <dd>
          <Customer id={task.organization_id} />
        </dd>
        <dt>{t('estimate')}</dt>
        <dd>
          <Usd micros={task.estimate_micros} />
        </dd>
        <dt>{t('held')}</dt>
        <dd>
          <Usd micros={task.held_micros} />
        </dd>
        <dt>{t('charged')}</dt>
        <dd>{task.charged_micros === null ? '–' : <Usd micros={task.charged_micros} />}</dd>
        <dt>{t('refunded')}</dt>
        <dd>
          <Usd micros={task.refunded_micros} />
        </dd>
        {loss > 0 && (
          <>
            <dt>{t('loss')}</dt>
            <dd className="bad">
              <Usd micros={loss} />
            </dd>
          </>
        )}
        <dt>{t('entries')}</dt>
        <dd>
          <Link to="/money" search={{ task_id: task.id } as never}>
            {task.entries.length}
          </Link>
        </dd>
        <dt>{t('callback')}</dt>
        <dd>
          <Chip state={task.callback} />
        </dd>
        {file !== undefined && (
          <>
            <dt>{t('file')}</dt>
            <dd>
              <Chip state={file.state} />{' '}
              {file.state === 'kept' && (
                <>
                  {t('fileUntil')} <Time iso={file.kept_until} />
                </>
              )}
            </dd>
          </>
        )}
        <dt>{t('created')}</dt>
        <dd>
          <Time iso={task.created_at} />
        </dd>
        <dt>{t('completed')}</dt>
        <dd>
          <Time iso={task.completed_at} />
        </dd>
        <dt>{t('deadline')}</dt>
        <dd>
          <Time iso={task.deadline} />
        </dd>
        <dt>{t('provider')}</dt>
        <dd>{task.provider}</dd>
        <dt>{t('ticket')}</dt>
        <dd>{task.upstream_id === null ? '–' : <Copy text={task.upstream_id} />}</dd>
        <dt>{t('key')}</dt>
        <dd>
          <Id id={task.key_id} />
        </dd>
      </dl>
    </section>
  )
}

function Actions({ task, onResume }: { task: Task; onResume(): void }) {
  const t = useWords(videoWords)
  const mayChange = useMay('operator')
  const [open, setOpen] = useState<'cancel' | 'resend' | 'refund'>()
  const cancel = useChange('POST /tasks/{id}/cancel')
  const resend = useChange('POST /callbacks/{id}/resend')
  const refund = useChange('POST /ledger/refunds')
  if (!mayChange) return null
  const close = () => setOpen(undefined)
  const isRefundable = (task.charged_micros ?? 0) > task.refunded_micros
  return (
    <>
      {task.set_aside_at !== null && (
        <button type="button" className="button primary" onClick={onResume}>
          {t('resume')}
        </button>
      )}
      {task.status === 'queued' && (
        <button type="button" className="button" onClick={() => setOpen('cancel')}>
          {t('cancel')}
        </button>
      )}
      {(task.callback === 'delivered' || task.callback === 'given-up') && (
        <button type="button" className="button" onClick={() => setOpen('resend')}>
          {t('resend')}
        </button>
      )}
      {isRefundable && (
        <button type="button" className="button" onClick={() => setOpen('refund')}>
          {t('refund')}
        </button>
      )}
      {open === 'cancel' && (
        <Confirm
          title={t('cancel')}
          action={t('cancel')}
          danger
          onClose={close}
          onConfirm={() => cancel.mutateAsync({ id: task.id })}
        >
          <p>{t('cancelAbout')}</p>
        </Confirm>
      )}
      {open === 'resend' && (
        <Confirm
          title={t('resend')}
          action={t('resend')}
          onClose={close}
          onConfirm={() => resend.mutateAsync({ id: task.id })}
        >
          <p>{t('resendAbout')}</p>
        </Confirm>
      )}
      {open === 'refund' && (
        <FormDialog
          title={t('refund')}
          action={t('refund')}
          about={t('refundAbout')}
          fields={[
            { name: 'amount', label: t('refundAmount'), isOptional: true },
            { name: 'note', label: t('note') },
          ]}
          onClose={close}
          onSubmit={async ({ amount, note = '' }) =>
            refund.mutateAsync({
              body: {
                task_id: task.id,
                amount_micros: amount?.trim() ? amountOf(amount, t('wrongAmount')) : null,
                note,
              },
            })
          }
        />
      )}
    </>
  )
}
