CREATE TABLE "reseller_key" (
	"id" text PRIMARY KEY NOT NULL,
	"uid" text NOT NULL,
	"name" text NOT NULL,
	"mode" text NOT NULL,
	"secret_hash" text NOT NULL,
	"scopes" text[] NOT NULL,
	"addresses" text[] NOT NULL,
	"daily_limit_satang" bigint,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"ended_for" text,
	"ended_by" text,
	CONSTRAINT "reseller_key_end" CHECK (("reseller_key"."ended_at" IS NULL) = ("reseller_key"."ended_for" IS NULL))
);
--> statement-breakpoint
CREATE TABLE "play_entry" (
	"id" uuid PRIMARY KEY NOT NULL,
	"uid" text NOT NULL,
	"order_id" uuid,
	"amount_satang" bigint NOT NULL,
	"balance_satang" bigint NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "play_order" (
	"id" uuid PRIMARY KEY NOT NULL,
	"no" text NOT NULL,
	"uid" text NOT NULL,
	"ref" text NOT NULL,
	"request_hash" text NOT NULL,
	"package_id" integer NOT NULL,
	"player_id" text,
	"status" text NOT NULL,
	"quantity" integer NOT NULL,
	"delivered" integer DEFAULT 0 NOT NULL,
	"price_satang" bigint NOT NULL,
	"refunded_satang" bigint DEFAULT 0 NOT NULL,
	"step" smallint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "play_order_no" UNIQUE("no"),
	CONSTRAINT "play_order_ref" UNIQUE("uid","ref")
);
--> statement-breakpoint
CREATE TABLE "play_wallet" (
	"uid" text PRIMARY KEY NOT NULL,
	"balance_satang" bigint NOT NULL,
	CONSTRAINT "play_wallet_balance_not_negative" CHECK ("play_wallet"."balance_satang" >= 0)
);
--> statement-breakpoint
CREATE TABLE "reseller_day" (
	"key_id" text NOT NULL,
	"day" date NOT NULL,
	"calls" integer DEFAULT 0 NOT NULL,
	"errors" integer DEFAULT 0 NOT NULL,
	"orders" integer DEFAULT 0 NOT NULL,
	"spent_satang" bigint DEFAULT 0 NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"last_used_from" text,
	CONSTRAINT "reseller_day_key_id_day_pk" PRIMARY KEY("key_id","day")
);
--> statement-breakpoint
CREATE TABLE "reseller_order" (
	"order_id" uuid PRIMARY KEY NOT NULL,
	"uid" text NOT NULL,
	"key_id" text NOT NULL,
	"ref" text NOT NULL,
	"request_hash" text NOT NULL,
	"quantity" integer NOT NULL,
	"price_satang" bigint NOT NULL,
	"canceled_at" timestamp (3) with time zone,
	CONSTRAINT "reseller_order_ref" UNIQUE("uid","ref")
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoint" (
	"id" uuid PRIMARY KEY NOT NULL,
	"uid" text NOT NULL,
	"mode" text NOT NULL,
	"url" text NOT NULL,
	"secret" text NOT NULL,
	"old_secret" text,
	"old_secret_until" timestamp (3) with time zone,
	"is_on" boolean DEFAULT true NOT NULL,
	"off_for" text,
	"failing_since" timestamp (3) with time zone,
	"rests_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_message" (
	"id" uuid PRIMARY KEY NOT NULL,
	"endpoint_id" uuid NOT NULL,
	"type" text NOT NULL,
	"body" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"last_status" integer,
	"last_error" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"tried_at" timestamp (3) with time zone,
	"next_at" timestamp (3) with time zone,
	"settled_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "reseller_key" ADD CONSTRAINT "reseller_key_uid_account_uid_fk" FOREIGN KEY ("uid") REFERENCES "public"."account"("uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "play_entry" ADD CONSTRAINT "play_entry_uid_account_uid_fk" FOREIGN KEY ("uid") REFERENCES "public"."account"("uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "play_entry" ADD CONSTRAINT "play_entry_order_id_play_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."play_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "play_order" ADD CONSTRAINT "play_order_uid_account_uid_fk" FOREIGN KEY ("uid") REFERENCES "public"."account"("uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "play_wallet" ADD CONSTRAINT "play_wallet_uid_account_uid_fk" FOREIGN KEY ("uid") REFERENCES "public"."account"("uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reseller_day" ADD CONSTRAINT "reseller_day_key_id_reseller_key_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."reseller_key"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reseller_order" ADD CONSTRAINT "reseller_order_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reseller_order" ADD CONSTRAINT "reseller_order_key_id_reseller_key_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."reseller_key"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoint" ADD CONSTRAINT "webhook_endpoint_uid_account_uid_fk" FOREIGN KEY ("uid") REFERENCES "public"."account"("uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_message" ADD CONSTRAINT "webhook_message_endpoint_id_webhook_endpoint_id_fk" FOREIGN KEY ("endpoint_id") REFERENCES "public"."webhook_endpoint"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "reseller_key_owner" ON "reseller_key" USING btree ("uid","created_at");--> statement-breakpoint
CREATE INDEX "play_entry_list" ON "play_entry" USING btree ("uid","id");--> statement-breakpoint
CREATE INDEX "play_entry_at" ON "play_entry" USING btree ("at");--> statement-breakpoint
CREATE INDEX "play_entry_order" ON "play_entry" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "play_order_list" ON "play_order" USING btree ("uid","id");--> statement-breakpoint
CREATE INDEX "play_order_created" ON "play_order" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "reseller_day_day" ON "reseller_day" USING btree ("day");--> statement-breakpoint
CREATE INDEX "reseller_order_list" ON "reseller_order" USING btree ("uid","order_id");--> statement-breakpoint
CREATE INDEX "webhook_endpoint_owner" ON "webhook_endpoint" USING btree ("uid","mode");--> statement-breakpoint
CREATE INDEX "webhook_endpoint_failing" ON "webhook_endpoint" USING btree ("failing_since") WHERE "webhook_endpoint"."failing_since" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "webhook_message_log" ON "webhook_message" USING btree ("endpoint_id","created_at","id");--> statement-breakpoint
CREATE INDEX "webhook_message_settled" ON "webhook_message" USING btree ("settled_at") WHERE "webhook_message"."settled_at" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "webhook_message_waiting" ON "webhook_message" USING btree ("endpoint_id") WHERE "webhook_message"."state" = 'waiting';