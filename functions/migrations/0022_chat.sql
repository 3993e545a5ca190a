CREATE TABLE "chat_channel" (
	"name" text PRIMARY KEY NOT NULL,
	"quota_limit" integer,
	"quota_used" integer DEFAULT 0 NOT NULL,
	"quota_at" timestamp (3) with time zone,
	"full_at" timestamp (3) with time zone,
	"last_error" text,
	"last_error_at" timestamp (3) with time zone
);--> statement-breakpoint
CREATE TABLE "chat_code" (
	"code_hash" text PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"uid" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);--> statement-breakpoint
CREATE TABLE "chat_friend" (
	"line_id" text PRIMARY KEY NOT NULL,
	"is_friend" boolean NOT NULL,
	"since" timestamp (3) with time zone NOT NULL
);--> statement-breakpoint
CREATE TABLE "chat_message" (
	"id" uuid PRIMARY KEY NOT NULL,
	"retry_key" uuid NOT NULL,
	"kind" text NOT NULL,
	"about" text,
	"recipient" text NOT NULL,
	"reply_token" text,
	"messages" jsonb NOT NULL,
	"cost" integer NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"reason" text,
	"request_id" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"settled_at" timestamp (3) with time zone,
	CONSTRAINT "chat_message_once" UNIQUE("retry_key")
);--> statement-breakpoint
CREATE TABLE "chat_room" (
	"room" text PRIMARY KEY NOT NULL,
	"group_id" text NOT NULL,
	"group_name" text NOT NULL,
	"member_count" integer NOT NULL,
	"bound_by" text NOT NULL,
	"bound_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "chat_room_group" UNIQUE("group_id")
);--> statement-breakpoint
ALTER TABLE "chat_code" ADD CONSTRAINT "chat_code_uid_account_uid_fk" FOREIGN KEY ("uid") REFERENCES "public"."account"("uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_room" ADD CONSTRAINT "chat_room_bound_by_account_uid_fk" FOREIGN KEY ("bound_by") REFERENCES "public"."account"("uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "chat_code_expiry" ON "chat_code" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "chat_message_state" ON "chat_message" USING btree ("state","id") WHERE "chat_message"."state" <> 'sent';--> statement-breakpoint
CREATE INDEX "chat_message_settled" ON "chat_message" USING btree ("settled_at");--> statement-breakpoint
CREATE INDEX "chat_message_about" ON "chat_message" USING btree ("about");
