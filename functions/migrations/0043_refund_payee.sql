ALTER TABLE "owed_refund" ADD COLUMN "sent_slip_id" uuid;--> statement-breakpoint
ALTER TABLE "owed_refund" ADD COLUMN "payee" jsonb;--> statement-breakpoint
ALTER TABLE "owed_refund" ADD COLUMN "payee_version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "owed_refund" ADD COLUMN "payee_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "owed_refund" ADD COLUMN "payee_by" text;--> statement-breakpoint
ALTER TABLE "owed_refund" ADD CONSTRAINT "owed_refund_sent_slip_id_slip_id_fk" FOREIGN KEY ("sent_slip_id") REFERENCES "public"."slip"("id") ON DELETE no action ON UPDATE no action;