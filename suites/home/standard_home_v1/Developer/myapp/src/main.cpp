// Entry point: wires the parts of the application together and waits for a signal.

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <thread>

#include "myapp.h"

namespace {

std::atomic<bool> running{true};

void stop(int) { running = false; }

void printBanner(const myapp::Config& config) {
    std::cout << "myapp 2.4.0 listening on port " << config.port << "\n";
}

}  // namespace

int main() {
    std::signal(SIGINT, stop);
    std::signal(SIGTERM, stop);

    const char* path = std::getenv("MYAPP_CONFIG");
    myapp::Config config = myapp::parseConfig(path ? path : "myapp.json");

    // Application initialization: the pool first, so that early requests find a worker.
    myapp::WorkerPool pool(config.workers);
    pool.start();
    printBanner(config);

    while (running) {
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }

    std::cout << "draining " << pool.pending() << " jobs\n";
    pool.drain(std::chrono::seconds(10));
    return EXIT_SUCCESS;
}
