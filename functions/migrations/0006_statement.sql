CREATE TABLE "feed_key" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"key_hash" text NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "feed_key_hash" UNIQUE("key_hash")
);
--> statement-breakpoint
CREATE TABLE "owed_refund" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_id" uuid,
	"line_id" uuid,
	"amount_satang" bigint NOT NULL,
	"reason" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"sent_by" text,
	"sent_from_id" integer,
	"reference" text,
	CONSTRAINT "owed_refund_amount" CHECK ("owed_refund"."amount_satang" > 0),
	CONSTRAINT "owed_refund_sent" CHECK (num_nonnulls("owed_refund"."sent_at", "owed_refund"."sent_by", "owed_refund"."sent_from_id", "owed_refund"."reference") IN (0, 4))
);
--> statement-breakpoint
CREATE TABLE "statement_event" (
	"line_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"step" text NOT NULL,
	"target_kind" text,
	"target_id" uuid,
	"actor_uid" text,
	"reason" text,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "statement_event_line_id_version_pk" PRIMARY KEY("line_id","version")
);
--> statement-breakpoint
CREATE TABLE "statement_file" (
	"id" uuid PRIMARY KEY NOT NULL,
	"receiving_account_id" integer NOT NULL,
	"file_name" text NOT NULL,
	"file_key" text,
	"given_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"imported_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "statement_line" (
	"id" uuid PRIMARY KEY NOT NULL,
	"no" bigint GENERATED ALWAYS AS IDENTITY (sequence name "statement_line_no_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"receiving_account_id" integer NOT NULL,
	"key" text NOT NULL,
	"day" date NOT NULL,
	"at" timestamp (3) with time zone,
	"precision_seconds" smallint,
	"amount_satang" bigint NOT NULL,
	"balance_satang" bigint,
	"detail" text NOT NULL,
	"from_bank" text,
	"from_account" text,
	"channel" text,
	"file_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"state" text NOT NULL,
	"version" integer NOT NULL,
	"tried_at" timestamp (3) with time zone,
	"order_id" uuid,
	"top_up_id" uuid,
	"wallet_id" uuid,
	"decided_by" text,
	"decided_at" timestamp (3) with time zone,
	"reason" text,
	CONSTRAINT "statement_line_one_target" CHECK (num_nonnulls("statement_line"."order_id", "statement_line"."top_up_id", "statement_line"."wallet_id") <= 1),
	CONSTRAINT "statement_line_moves_money" CHECK ("statement_line"."amount_satang" <> 0)
);
--> statement-breakpoint
CREATE TABLE "statement_mapping" (
	"receiving_account_id" integer NOT NULL,
	"header_hash" text NOT NULL,
	"mapping" jsonb NOT NULL,
	"saved_by" text NOT NULL,
	"saved_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "statement_mapping_receiving_account_id_header_hash_pk" PRIMARY KEY("receiving_account_id","header_hash")
);
--> statement-breakpoint
ALTER TABLE "owed_refund" ADD CONSTRAINT "owed_refund_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "owed_refund" ADD CONSTRAINT "owed_refund_line_id_statement_line_id_fk" FOREIGN KEY ("line_id") REFERENCES "public"."statement_line"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "owed_refund" ADD CONSTRAINT "owed_refund_sent_from_id_receiving_account_id_fk" FOREIGN KEY ("sent_from_id") REFERENCES "public"."receiving_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statement_event" ADD CONSTRAINT "statement_event_line_id_statement_line_id_fk" FOREIGN KEY ("line_id") REFERENCES "public"."statement_line"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statement_file" ADD CONSTRAINT "statement_file_receiving_account_id_receiving_account_id_fk" FOREIGN KEY ("receiving_account_id") REFERENCES "public"."receiving_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statement_line" ADD CONSTRAINT "statement_line_receiving_account_id_receiving_account_id_fk" FOREIGN KEY ("receiving_account_id") REFERENCES "public"."receiving_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statement_line" ADD CONSTRAINT "statement_line_file_id_statement_file_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."statement_file"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statement_line" ADD CONSTRAINT "statement_line_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statement_line" ADD CONSTRAINT "statement_line_top_up_id_top_up_id_fk" FOREIGN KEY ("top_up_id") REFERENCES "public"."top_up"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statement_line" ADD CONSTRAINT "statement_line_wallet_id_wallet_id_fk" FOREIGN KEY ("wallet_id") REFERENCES "public"."wallet"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statement_mapping" ADD CONSTRAINT "statement_mapping_receiving_account_id_receiving_account_id_fk" FOREIGN KEY ("receiving_account_id") REFERENCES "public"."receiving_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "owed_refund_open" ON "owed_refund" USING btree ("created_at","id") WHERE "owed_refund"."sent_at" IS NULL;--> statement-breakpoint
CREATE INDEX "owed_refund_sent_at" ON "owed_refund" USING btree ("sent_at","id") WHERE "owed_refund"."sent_at" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "owed_refund_order" ON "owed_refund" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "owed_refund_line" ON "owed_refund" USING btree ("line_id");--> statement-breakpoint
CREATE INDEX "statement_file_kept" ON "statement_file" USING btree ("created_at") WHERE "statement_file"."file_key" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "statement_line_key" ON "statement_line" USING btree ("receiving_account_id","key");--> statement-breakpoint
CREATE INDEX "statement_line_latest" ON "statement_line" USING btree ("receiving_account_id","day",coalesce("at", '-infinity'),"no");--> statement-breakpoint
CREATE INDEX "statement_line_untried" ON "statement_line" USING btree ("receiving_account_id","day","at","no") WHERE "statement_line"."tried_at" IS NULL AND "statement_line"."state" = 'unmatched';--> statement-breakpoint
CREATE INDEX "statement_line_open" ON "statement_line" USING btree ("receiving_account_id","amount_satang") WHERE "statement_line"."state" = 'unmatched';--> statement-breakpoint
CREATE UNIQUE INDEX "statement_line_order" ON "statement_line" USING btree ("order_id") WHERE "statement_line"."order_id" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "statement_line_top_up" ON "statement_line" USING btree ("top_up_id") WHERE "statement_line"."top_up_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "orders_amount" ON "orders" USING btree ("receiving_account_id",("price_satang" + "tail_satang"),"created_at") WHERE "orders"."receiving_account_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "top_up_amount" ON "top_up" USING btree ("amount_satang","created_at");